import { call, err, errLines, fresh, http, type Planted, plant, result, type Said } from './test-plant';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const hex = (text: string) => Buffer.from(text).toString('hex');
const pairs = (text: string) => hex(text).match(/../g)!;
const known = (secret: string): Said => call({ token: secret });

/** A known value, and what it is repeated as. */
const again = (how: string, form: (secret: string) => string, secret?: string): Planted =>
  plant(`by value, ${how}`, (s) => [known(s), result(`it is ${form(s)} so`)], secret);

const ODD = 'pa/ss+w0rd=ü9';

/** Secrets that are given away in one place and repeated in another. */
export const BY_VALUE: readonly Planted[] = [
  plant('first in a header, then in a body', (s) => [
    http({ kind: 'request', headers: [['Authorization', `Bearer ${s}`]] }),
    result(`you sent ${s}!`),
  ]),
  plant('by value, in the same message, before it is given away', (s) => call({ note: `it is ${s}`, apiKey: s })),
  plant('by value, in the same message, in base64', (s) => call({ apiKey: s, more: [base64(`x:${s}`)] })),
  plant('by value, as a name', (s) => [known(s), JSON.stringify({ result: { [s]: 1 } })]),
  plant('by value, a number', (s) => [call({ password: s }), `{"result":{"n":${s}}}`], '918273645546'),
  plant('by value, escaped', (s) => [known(s), `{"result":"${Array.from(s, (one) => `\\u00${hex(one)}`).join('')}"}`]),
  again('of eight characters', (s) => s, fresh(8)),
  again('percent-encoded', encodeURIComponent, ODD),
  again('percent-encoded byte by byte', (s) => hex(s).replace(/../g, '%$&').toUpperCase()),
  again('percent-encoded byte by byte, in lower case', (s) => hex(s).replace(/../g, '%$&')),
  again('percent-encoded twice', (s) => encodeURIComponent(encodeURIComponent(s)), ODD),
  again('in a form', (s) => new URLSearchParams({ a: s }).toString(), "it's a (pass)~1"),
  ...[20, 21, 22].map((length) => again(`in base64, of ${length}`, base64, fresh(length))),
  again('in base64 for URLs', (s) => Buffer.from(s).toString('base64url'), 'sub?ject>>1~~?9'),
  again('within a longer base64', (s) => base64(`a:${s}:zz`)),
  again('within base64, one on', (s) => base64(`ab:${s}`)),
  again('within base64, two on', (s) => base64(`abc:${s}`)),
  again('in base64 of base64', (s) => base64(base64(s))),
  again('in base64 of base64 of more', (s) => base64(`x ${base64(`user:${s}:end`)}`)),
  again('in base64 of JSON', (s) => base64(JSON.stringify({ a: s })), 'pa"ss\\w0rd9x'),
  again('in base64 of UTF-16', (s) => Buffer.from(s, 'utf16le').toString('base64')),
  again('in hex', hex),
  again('in hex, in upper case', (s) => hex(s).toUpperCase()),
  again('in hex with colons', (s) => pairs(s).join(':')),
  again('as a Buffer of Node', (s) => `<Buffer ${pairs(s).join(' ')}>`),
  again('as bytes of Go', (s) => `[${[...Buffer.from(s)].join(' ')}]`),
  again('as bytes of Python', (s) => `b'${pairs(s).join('\\x').replace(/^/, '\\x')}'`),
  again('quoted by a shell', (s) => `PW='${s.replaceAll("'", `'\\''`)}' run`, "it's-a-b9-secret"),
  again('as Python prints it', (s) => `{'pw': '${s.replaceAll("'", "\\'")}'}`, "it's-a-c9-secret"),
  again('in markup', (s) => `<b>${s.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</b>`, 'a&b<c9d4f&g9'),
  plant('by value, printed in lines', (s) => [known(s), ...errLines(s.replace(/.{64}/g, '$&\n'))], fresh(150)),
  plant(
    'by value, printed in lines behind a prefix, its short end last',
    (s) => [known(s), ...s.match(/.{1,70}/g)!.map((line, at) => err(at === 0 ? `key: ${line}` : `     ${line}`))],
    fresh(145),
  ),
  plant('by value, cut by a program', (s) => [known(s), err(`key ${s.slice(4, 60)}…`)].concat([]), fresh(80)),
];
