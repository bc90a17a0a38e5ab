import { isSecretField } from '@/lib/wire/header-fields';
import { MASK } from '@/lib/wire/http-frame';

/** Without password, and with the values masked of what is named like a secret in query and fragment. The rest stays as written. */
export function maskedUrl(url: string): string {
  const bare = url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${MASK}@`);
  const query = bare.search(/[?#]/);
  if (query < 0) return bare;
  return bare.slice(0, query) + bare.slice(query).replace(/([?&#])([^=&?#]+)=([^&#]*)/g, hideSecret);
}

function hideSecret(whole: string, mark: string, name: string): string {
  // A server reads `api%5Fkey` as `api_key`.
  const read = name.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return isSecretField(read) || /^(code|state|sig)$/i.test(read) ? `${mark}${name}=${MASK}` : whole;
}
