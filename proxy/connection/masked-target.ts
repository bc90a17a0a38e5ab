import { headerSecrets } from '@/lib/hub/url-launch';
import { byteTextOf, decodedText } from '@/lib/redact/byte-text';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { secretsInArguments } from '@/lib/redact/launch-secrets';
import { MASKED_PATTERN } from '@/lib/redact/placeholders';
import { maskedUrl, secretsInUrl } from '@/lib/transports/masking';
import type { Target } from '@/lib/wire/command';
import { MASK } from '@/lib/wire/http-frame';
import { percentDecoded } from '@/lib/wire/url';

/**
 * Returns the target with an `${input:NAME}` in place of each secret in its command, arguments or URL. The names come
 * from the flag or parameter before the secret, and differ from those in `taken`. Members of its extra `_meta` with a
 * secret are left out. A target without secrets is returned as it is.
 */
export function maskedTarget<T extends Target>(target: T, taken: readonly string[] = []): T {
  const { profile } = target;
  const meta = Object.entries(profile?.meta ?? {});
  const plain = meta.filter(([key, value]) => isPlain(JSON.stringify({ [key]: value })));
  if (plain.length === meta.length) return maskedAddress(target, taken);
  return { ...maskedAddress(target, taken), profile: { ...profile, meta: Object.fromEntries(plain) } };
}

function isPlain(text: string): boolean {
  return redacted(text, []) === text;
}

function maskedAddress<T extends Target>(target: T, taken: readonly string[]): T {
  if (target.transport === 'stdio') {
    const { command, args, cwd = '' } = target;
    const said = JSON.stringify([command, cwd, ...args]);
    const masked = withInputs(redacted(said, argumentSecrets(args)), taken);
    if (masked === said) return target;
    const words: unknown = JSON.parse(masked);
    // The redactor replaces a text with very many secrets as a whole.
    if (!Array.isArray(words)) return { ...target, args: [`\${input:arguments}`] };
    const [program, folder, ...rest] = words as readonly string[];
    return { ...target, command: program, args: rest, ...(folder !== '' && { cwd: folder }) };
  }
  const url = withInputs(redacted(maskedUrl(withoutEncoded(target.url)), secretsInUrl(target.url)), taken);
  return url === target.url ? target : { ...target, url };
}

/** Masks secrets in a command line. Keeps the number of words. */
export function maskedWords(words: readonly string[]): readonly string[] {
  const marked = byteTextOf(redacted(JSON.stringify(words), argumentSecrets(words.slice(1))));
  const shown: unknown = JSON.parse(decodedText(marked.replace(MASKED_PATTERN, SHOWN_MASK)));
  // The redactor replaces a text with very many secrets as a whole.
  return Array.isArray(shown) && shown.length === words.length ? shown.map(String) : words.map(() => SHOWN_MASK);
}

/** Unlike an `${input:NAME}`, no host takes it for a placeholder of the config. */
const SHOWN_MASK = '[redacted]';

/** Returns secrets in the arguments of a command, by shape, by the name of a flag or variable, and in headers. */
export function argumentSecrets(args: readonly string[]): readonly string[] {
  return [...secretsInArguments(args), ...inHeaders(args)];
}

/** Returns secrets in `--header "X-Auth: …"`, an argument of programs that connect to a URL. */
function inHeaders(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, at) => {
    const [, name = '', value = ''] = /^([^:\s]{1,100}):\s*(.+)$/.exec(arg) ?? [];
    return /^(?:-H|--headers?)$/.test(args[at - 1] ?? '') ? headerSecrets(name, value) : [];
  });
}

function redacted(text: string, secrets: readonly string[]): string {
  const { bytes } = new CaptureRedactor(secrets).apply({ bytes: Buffer.from(text) });
  return Buffer.from(bytes).toString();
}

/** Masks the parts of a URL in which percent-encoding hides a secret from the redactor. */
function withoutEncoded(url: string): string {
  return url.replace(/[^/?#&=]*%[^/?#&=]*/g, (part) => {
    const text = percentDecoded(part);
    return redacted(text, []) === text ? part : MASK;
  });
}

/** Replaces what the redactor left of each secret. */
function withInputs(text: string, taken: readonly string[]): string {
  const names = new Set(taken);
  // The pattern is for byte text.
  const bytes = byteTextOf(text);
  const replaced = bytes.replace(MASKED_PATTERN, (_, ...rest) => {
    const wanted = nameBefore(
      bytes.slice(
        0,
        rest.find((one) => typeof one === 'number'),
      ),
    );
    let name = wanted;
    for (let count = 2; names.has(name); count++) name = `${wanted}-${count}`;
    names.add(name);
    return `\${input:${name}}`;
  });
  return replaced === bytes ? text : decodedText(replaced);
}

/** Names a secret by the flag, variable, parameter or header before it in a list of arguments or in a URL. */
function nameBefore(text: string): string {
  const near = text.slice(-200).replace(/(?:\b(?:Bearer|Basic|Token)\s+)$/i, '');
  if (/:\/\/[^/"]*$/.test(near)) return 'password';
  const [, flag, name] = /-{1,2}([A-Za-z][\w.-]*)(?:=|","|\s+)$|([A-Za-z][\w.-]*)(?:=|:\s*)$/.exec(near) ?? [];
  return flag ?? name ?? 'secret';
}
