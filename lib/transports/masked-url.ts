import { isSecretField } from '@/lib/wire/header-fields';
import { MASK } from '@/lib/wire/http-frame';

/** Without password, and with the values of parameters masked that are named like secrets. The rest stays as written. */
export function maskedUrl(url: string): string {
  const bare = url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i, `$1${MASK}@`);
  const query = bare.indexOf('?');
  if (query < 0) return bare;
  return bare.slice(0, query) + bare.slice(query).replace(/([?&])([^=&#]+)=([^&#]*)/g, hideSecret);
}

function hideSecret(whole: string, mark: string, name: string): string {
  return isSecretField(name) || /^(code|state|sig)$/i.test(name) ? `${mark}${name}=${MASK}` : whole;
}
