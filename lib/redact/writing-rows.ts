import { byteTextOf } from './byte-text';

/** Words before a noun that make it the name of a secret: `API key`, `seed phrase`, `mot de passe`. */
export const TWO_WORDS =
  /(?:^|[\s"'*(])((?:api|access|secret|private|account|license|master|admin|service|subscription|encryption|signing|seed|recovery|backup|wallet|shared|clé|mot de|auth|client|refresh|bot|app|bearer|webhook|session) )[\w-]+$/i;
/** Matches text before a name that begins its line. */
export const LINE_START = /(?:^|[\r\n]|\\n)[ \t]{0,40}(?:- |export |set |setx |ENV |[+~] )?["']?$/;

/** How a value begins. */
export const QUOTE = /(?:(?:b|u|r|rb|br|f|@|\$)(?=["'`]))?(\\{0,7})("""|'''|["'`])/y;
export const AUTH_SCHEME =
  /(?:Bearer|Basic|Digest|Token|ApiKey|Api-Key|Negotiate|AWS4-HMAC-SHA256|DPoP|SSWS|GenieKey|Bot)[ \t]{1,8}/iy;
/** Wrappers of values: brackets (but not a placeholder's) and the names that programs give to unprintable values. */
export const WRAPPING =
  /(?:string\(\d{1,6}\) |\(string\) \(len=\d{1,6}\) |\$\{|<|(?:(?:Some|Just|Secret\w{0,12}|Hidden|Sensitive|Password|Token|String)?\(|(?!\[redacted:)[[{]){1,3})\s{0,2}(?:\\{0,7}["'])?/y;
/** A YAML scalar on the next line, the mark before the first item of a YAML list, and the type of a value. */
export const BLOCK =
  /!!(?:str|binary)[ \t]{1,4}|(?:[|>][+-]?\d?)[ \t]{0,4}(?:\r?\n|\\n)[ \t]{1,40}|-[ \t]{1,4}(?=[^\s-])/y;

/** How a value ends without quotes. */
export const BARE = /[^\s"'`,;&<>()[\]{}\\|]{1,2048}/y;
export const IN_URL = /(?:(?!%26|%22)[^\s"'`&#<>()[\]{}\\|;,]){1,2048}/y;
/** A value that is the rest of its line, perhaps before a comment. Shell code is none: `$(…)`, or a call. */
export const IN_LINE =
  /(?![\s"'`$\\])(?!\w{1,64}[(.[]\S)(?:(?!\\[nrt])[^\s]){1,2048}?(?=[,;]?[ \t]{0,200}(?:#[^\r\n]{0,200})?(?:[\r\n]|\\[nrt]|$))/y;
export const COOKIES =
  /(?:[\w.%!~-]{1,100}=[^\s;"'\\]{0,1024}(?:;[ \t]?(?:Path|Domain|Expires|Max-Age|HttpOnly|Secure|SameSite)[^;"'\\\r\n]{0,80})*(?:;[ \t]{0,4}|(?=[\s"'\\]|$))){1,40}/iy;

/** Parameters of an Authorization header. */
export const PARAMETERS =
  /(?:[\w-]{1,40}=(?:\\{0,7}"[^"\r\n]{0,2048}"|[^\s,"'\\]{1,2048})(?:,[ \t]{0,4}(?=[\w-]{1,40}=)|(?=["'\s,\\]|$))){1,20}/y;

/** Text between a word of a sentence and its value: the rest of the word, more words, and a sign or verb. */
const VALUE = '[^\\s"\'`<>{}\\[\\](),;]';
/** Signs that need no space around them. They are letters in byte text. */
const WIDE_SIGNS = byteTextOf('(?:：|は|是)');
export const SAID = new RegExp(
  `(?=((?:(?!${WIDE_SIGNS})[\\w\\x80-\uffff’-]){0,24}))\\1(?:[^\\n"\`<>{}=:]{0,40}?${byteTextOf('(?::|：|=|は|是|\\s(?:is|are|to|was|est|ist|lautet|es|é|è|e|jest|är|er|on|adalah|là|—|–|-|->|with|for you|of)(?=[\\s:]))')}[\\s"'\`:*_]{0,4}| ["'\`]?)(?=${VALUE}{0,100}[\\d^%!#$*+~])(?=(${VALUE}{5,400}))`,
  'y',
);
/** Matches words that say that a fact about a secret follows, or something else: a tokenizer. */
export const FACT =
  /^i[sz](?:e|at)|\b(?:identifier|id|usage|algorithm|size|type|version|count|length|limit|fingerprint|hash|name|expires?|expired|expiry)s?\b/i;
/** Addresses, paths, times, calls and code. */
export const NOT_SAID =
  /^(?:\d{4}-\d\d-\d\d|[A-Za-z]:\\|[a-z][a-z+.-]*:\/\/|\.{0,2}\/|[\d.,:/%+-]+[a-z]{0,3}$)|^[A-Za-z_.]+=|^[\w.+-]+@[\w-]+(?:\.|$)|\w\(|^[a-z]\w*\.[A-Z]\w+$|^(?:arn|aws):|^\w+\.\w+\.\w+$|^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/;

/** Text that may stand between a name and its value, or after a column's name. */
export const MAY_FOLLOW =
  /(?:\\[nrt]|[\\"'`\]}*\s]){0,8}(?:[a-z]{0,12}:|\\[nrt]|[:=,;|>\]\t\r\n(]|%3[dD]|\s(?:is|was|es|est|lautet)\s|["'`\s]|\uff1a|\u00ef\u00bc)/y;
