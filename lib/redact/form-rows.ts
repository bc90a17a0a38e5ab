import { bytesOfText, byteTextOf } from './byte-text';
import { asciiJson, base64Forms, formEncoded, joinedBytes, lowerEscapes, utf16 } from './value-encodings';

/** A value, ready to be written. */
interface Written {
  /** Byte text. */
  readonly value: string;
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly json: string;
  readonly uri: string;
}

/** The ways in which a value may be repeated, as byte text. */
export const USUAL: readonly ((written: Written) => Iterable<string>)[] = [
  ({ value }) => [value],
  // JSON, with and without optional escapes.
  ({ json }) => [byteTextOf(json), asciiJson(json)].flatMap((form) => [form, form.replaceAll('/', '\\/')]),
  // URLs and forms.
  ({ uri }) => [uri, lowerEscapes(uri), formEncoded(uri)],
  ({ bytes }) => [joinedBytes(bytes, 16, ''), joinedBytes(bytes, 16, '').toUpperCase()],
  ({ bytes }) => base64Forms(bytes),
];

/** Forms that programs produce by accident. Some are several times as long as the value. */
export const RARE: readonly ((written: Written) => Iterable<string>)[] = [
  // Every byte percent-encoded, once or twice.
  ({ bytes }) => {
    const percent = `%${joinedBytes(bytes, 16, '%')}`;
    return [percent, percent.toUpperCase()].flatMap((form) => [form, form.replaceAll('%', '%25')]);
  },
  ({ uri }) => {
    const twice = encodeURIComponent(uri);
    return [twice, lowerEscapes(twice), encodeURIComponent(formEncoded(uri))];
  },
  // Base64 of base64, of UTF-16 and of JSON.
  ({ bytes }) => [...base64Forms(bytes)].flatMap((form) => [...base64Forms(bytesOfText(form))]),
  ({ text }) => base64Forms(utf16(text)),
  ({ json, text }) => (json === text ? [] : base64Forms(bytesOfText(byteTextOf(json)))),
  // Bytes as numbers.
  ({ bytes }) =>
    [':', ' '].flatMap((between) => [joinedBytes(bytes, 16, between), joinedBytes(bytes, 16, between).toUpperCase()]),
  ({ bytes }) => [`\\x${joinedBytes(bytes, 16, '\\x')}`],
  ({ bytes }) => [', ', ',', ' '].map((between) => joinedBytes(bytes, 10, between)),
  // Quoted by shells, Python and HTML.
  ({ text }) => {
    if (!/['"\\&<>]/.test(text)) return [];
    const slashed = text.replaceAll('\\', '\\\\');
    const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return [
      slashed,
      slashed.replaceAll("'", "\\'"),
      text.replaceAll("'", `'\\''`),
      text.replaceAll("'", `'"'"'`),
      html,
      html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
      html.replaceAll('"', '&#34;').replaceAll("'", '&#x27;'),
    ].map(byteTextOf);
  },
];
