/**
 * Characters that show nothing or turn text around: control characters but tab and line feed, bidirectional controls,
 * zero-width spaces, blank letters, byte order marks, lone surrogates, and the tags and variation selectors that hide text from
 * people but not from models. Joiners and the selector for emoji are none, emoji and scripts need them. The inside of a
 * character class, for a RegExp with the flag `u`.
 */
export const HIDDEN_CHARACTERS = [
  '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180e',
  '\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff9-\\ufffb',
  '\\ud800-\\udfff\\u{e0000}-\\u{e01ef}',
].join('');
