/** Most characters of a subject. */
const SUBJECT_CHARS = 120;

/** Returns the text of an attribute of a span. */
export type AttributeText = (key: string) => string | undefined;

/**
 * The attributes that say best what a span was about, by the semantic conventions and older revisions of them. The
 * first that says something counts.
 */
const SUBJECTS: readonly ((text: AttributeText) => string | undefined)[] = [
  (text) => pathOf(text('url.full') ?? text('http.url')),
  (text) => text('http.target'),
  (text) => joined('?', text('url.path'), text('url.query')),
  (text) => text('http.route'),
  (text) => text('db.query.text') ?? text('db.statement') ?? text('db.query.summary'),
  (text) => text('rpc.method') && joined('/', text('rpc.service'), text('rpc.method')),
  (text) => text('messaging.destination.name') ?? text('messaging.destination'),
  (text) => text('graphql.operation.name'),
];

/**
 * Returns what a span was about, on one line: the path of a request, the text of a query. Names of spans are short,
 * such as `GET`. undefined if its attributes do not say it. Server text.
 */
export function spanSubject(text: AttributeText): string | undefined {
  for (const subject of SUBJECTS) {
    const line = subject(text)
      ?.slice(0, 10 * SUBJECT_CHARS)
      .replace(/\s+/g, ' ')
      .trim();
    if (!line) continue;
    // Half of a surrogate pair would be shown as an escape.
    const isLong = line.length > SUBJECT_CHARS;
    return isLong ? `${line.slice(0, SUBJECT_CHARS).replace(/[\ud800-\udbff]$/, '')}…` : line;
  }
  return undefined;
}

/** Returns path and query of a URL, or its host if it has no path. */
function pathOf(url: string | undefined): string | undefined {
  const [, host, path = ''] = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#]*)([^#]*)/i.exec(url ?? '') ?? [];
  return path === '' || path === '/' ? host : path;
}

function joined(mark: string, ...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(mark);
}
