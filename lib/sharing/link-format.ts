/**
 * Shortens a recording's lines for a link. Leaves out `n`, which always grows by one, and makes `t` relative to the
 * line before.
 */
export function shortenLines(recording: string): string {
  let time = 0;
  return recording.replace(/^\{"n":\d+,"t":(\d+),/gm, (_, t: string) => {
    const since = Number(t) - time;
    time = Number(t);
    return `{"t":${since},`;
  });
}

/** Restores the recording that {@link shortenLines} shortened. */
export function restoreLines(lines: string): string {
  let time = 0;
  let n = 0;
  return lines.replace(/^\{"t":(\d{1,16}),/gm, (_, since: string) => {
    time += Number(since);
    return `{"n":${++n},"t":${time},`;
  });
}

// Text that most recordings contain, so links can leave it out: words of the protocol and of JSON Schema, text our own
// client writes, names of environment variables. Links name their dictionary by number, so changed text needs a new
// dictionary.

const ENVIRONMENT =
  '"APPDATA","BUN_INSTALL","CARGO_HOME","COLORTERM","COMSPEC","DBUS_SESSION_BUS_ADDRESS","DEBIAN_FRONTEND","DESKTOP_SESSION","DISPLAY","EDITOR",' +
  '"GOPATH","GPG_TTY","HOME","HOMEBREW_PREFIX","HOMEDRIVE","HOMEPATH","HOSTNAME","INIT_CWD","JAVA_HOME","LANG","LANGUAGE","LC_ALL","LC_CTYPE",' +
  '"LESS","LOCALAPPDATA","LOGNAME","LSCOLORS","LS_COLORS","MAIL","NODE_ENV","NODE_EXTRA_CA_CERTS","NODE_OPTIONS","NVM_BIN","NVM_DIR","OLDPWD","PAGER","PATH",' +
  '"PATHEXT","PNPM_HOME","PROCESSOR_ARCHITECTURE","PROGRAMFILES","PWD","PYENV_ROOT","PYTHONUNBUFFERED","REQUESTS_CA_BUNDLE","RUST_BACKTRACE",' +
  '"SESSION_MANAGER","SHELL","SHLVL","SSH_AGENT_PID","SSH_AUTH_SOCK","SSH_CLIENT","SSH_CONNECTION","SSL_CERT_DIR","SSL_CERT_FILE","SYSTEMDRIVE","SYSTEMROOT","TEMP",' +
  '"TERM","TERM_PROGRAM","TERM_PROGRAM_VERSION","TERM_SESSION_ID","TMPDIR","TZ","USER","USERNAME","USERPROFILE","VIRTUAL_ENV","VISUAL","VSCODE_IPC_HOOK",' +
  '"WAYLAND_DISPLAY","XDG_CONFIG_DIRS","XDG_CONFIG_HOME","XDG_CURRENT_DESKTOP","XDG_DATA_DIRS","XDG_RUNTIME_DIR","XDG_SESSION_ID","XDG_SESSION_TYPE",' +
  '"ZDOTDIR","ZSH","__CF_USER_TEXT_ENCODING","npm_config_cache","npm_lifecycle_event","npm_package_json","_CA_BUNDLE","_CERT_FILE","_TIMEOUT","_VERSION","_"';

const WORDS =
  'The name of the file to read. Returns a list of all the available resources. Whether to include the contents. Optional: the maximum number of results ' +
  'that are returned. Use this tool to get information about the given path. Creates a new one with the specified id and updates it. ' +
  'Search for a query in the current directory. Only works within allowed directories. If this is true, then it will be used as an input for ' +
  'the result of this operation. Demonstrates how a server can send notifications to the client. A tool which provides access to the user’s message. ' +
  'Error: failed with an invalid argument. Required. For example: default. Must be one of the following. This can not be undone. Note: each type of ' +
  'content has a description, title, value, level, format, data, text, image, status, state, start, end, key, length, version, date, time, total, count. ' +
  'supports and features, see documentation. Connected to server with multiple entries, instructions, prompts, resources, tools, templates, logging, sampling. ';

const SCHEMA =
  '"inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{},"additionalProperties":false,"required":[]' +
  '"$schema":"https://json-schema.org/draft/2020-12/schema","outputSchema":{"type":"object","properties":{"content":{"type":"string"}},"required":["content"],' +
  '"annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"title":"' +
  '"execution":{"taskSupport":"forbidden"}},{"name":"taskSupport":"optional","_meta":{"ui":{"resourceUri":' +
  '{"type":"number","minimum":0,"maximum":100,"exclusiveMinimum":0,"default":10,"description":"{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991,' +
  '{"type":"array","items":{"type":"string"},"description":"{"type":"boolean","default":false,"description":"{"anyOf":[{"type":"null"}],"oneOf":"enum":["' +
  '"minLength":1,"maxLength":"format":"uri","pattern":"minItems":1,"const":"{"type":"string","description":"';

const MESSAGES =
  '"error":{"code":-32601,"message":"Method not found"}}"error":{"code":-32602,"message":"MCP error -32602: Invalid params: Input validation error: Invalid arguments for tool ' +
  '"error":{"code":-32603,"message":"Internal error"' +
  '{"method":"notifications/message","params":{"level":"info","logger":"","data":"{"method":"notifications/progress","params":{"progress":1,"total":1,"message":"' +
  '{"method":"notifications/resources/list_changed"{"method":"notifications/resources/updated","params":{"uri":"' +
  '{"method":"notifications/cancelled","params":{"requestId":"reason":"{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"' +
  '{"method":"elicitation/create","params":{"mode":"form","message":"requestedSchema":{"type":"object","{"method":"roots/list","jsonrpc":"2.0","id":0}}' +
  '"result":{"roots":[]}}"method":"completion/complete","params":{"ref":{"type":"ref/prompt","argument":"method":"ping"}}"method":"logging/setLevel","params":{"level":"debug"' +
  '"result":{"resourceTemplates":[{"name":"","uriTemplate":"://resource/{id}","title":"","description":"","mimeType":"text/plain"}]}' +
  '"result":{"resources":[{"uri":"file:///","name":"","title":"","description":"","mimeType":"text/markdown"},{"uri":"mimeType":"application/json"' +
  '"result":{"prompts":[{"name":"","title":"","description":"","arguments":[{"name":"","description":"","required":true}]},{"name":"' +
  '"resultType":"complete","ttlMs":0,"cacheScope":"public","nextCursor":"' +
  '"content":[{"type":"resource_link","uri":"{"type":"resource","resource":{"uri":"{"type":"image","data":"","mimeType":"image/png"}],"structuredContent":{"isError":true}}';

const HTTP =
  '"c":"http","d":">","m":{"kind":"request","exchange":1,"method":"POST","url":"http://localhost:3000/mcp","headers":[["content-type","application/json"],["accept",' +
  '"application/json, text/event-stream"],["mcp-protocol-version","2025-11-25"],["mcp-session-id","•••"],["mcp-method",""],["mcp-name",""],["authorization","•••"]],"bytes":' +
  '"c":"http","d":"<","m":{"kind":"response","exchange":1,"status":200,"headers":[["content-type","text/event-stream"],["cache-control","no-cache, no-transform"],' +
  '["connection","keep-alive"],["date",["transfer-encoding","chunked"],["access-control-allow-origin","*"],["x-powered-by","Express"],["content-length","' +
  '"c":"http","d":"<","m":{"kind":"sse","exchange":1,"event":"message","id":"{"kind":"end","exchange":1,"by":"server"}}"c":"http","d":"<","m":{"kind":"body","exchange":1,"bytes":' +
  '"c":"http","d":"<","m":{"kind":"socket","[redacted:token:[redacted:secret:';

const SESSION =
  '{"mcpr":1,"id":"00000000-0000-4000-8000-000000000000","at":"2026-01-01T00:00:00.000Z","by":"mcp-inspect/0.1.0","mode":"client","name":"","transport":"stdio",' +
  '"redaction":{"policy":"share/1"},"selection":{"of":100,"from":1,"to":100,"without":["stderr","http"]}}\n' +
  '{"n":1,"t":501,"c":"lifecycle","d":"<","m":{"event":"start","at":"2026-01-01T00:00:00.000Z","name":"","transport":"http","url":"https://headerNames":[],"transport":"stdio","command":"npx",' +
  '"args":["-y","@modelcontextprotocol/server-","/node_modules/@modelcontextprotocol/server-/dist/index.js","stdio"],"cwd":"/home/","/Users/","environment":{"policy":"allowlist","policy":"shell","inherited":[' +
  `${ENVIRONMENT}],"added":[]},"protocol":"auto"}}\n` +
  '{"n":2,"t":10000,"c":"lifecycle","d":"<","m":{"event":"spawned","pid":10000}}\n' +
  '{"n":3,"t":11000,"c":"protocol","d":">","m":{"jsonrpc":"2.0","id":"mcp-inspect-probe","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",' +
  '"io.modelcontextprotocol/clientInfo":{"name":"mcp-inspect","version":"0.1.0"},"io.modelcontextprotocol/clientCapabilities":{}}}}}\n' +
  '{"n":4,"t":300000,"c":"stderr","d":"<","text":"Starting server on stdio..."}\n' +
  '{"n":5,"t":400000,"c":"protocol","d":"<","m":{"jsonrpc":"2.0","id":"mcp-inspect-probe","error":{"code":-32601,"message":"Method not found"}}}\n' +
  '"supportedVersions":["2026-07-28"],"capabilities":"c":"lifecycle","d":"<","m":{"event":"probe","era":"modern","reason":"The server answered server/discover with 2026-07-28.","respawn":false}}\n' +
  '{"n":6,"t":400000,"c":"lifecycle","d":"<","m":{"event":"probe","era":"legacy","reason":"The server refused server/discover with -32601.","respawn":false}}\n' +
  '{"n":7,"t":400000,"c":"protocol","d":">","m":{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true},' +
  '"sampling":{},"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"mcp-inspect","version":"0.1.0"}}}}\n' +
  '{"n":8,"t":400000,"c":"protocol","d":"<","m":{"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true,' +
  '"listChanged":true},"logging":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}},"completions":{}},"serverInfo":{"name":"","title":"","version":"1.0.0"},"instructions":"# ' +
  '"},"jsonrpc":"2.0","id":1}}\n{"n":9,"t":400000,"c":"protocol","d":">","m":{"jsonrpc":"2.0","method":"notifications/initialized"}}\n' +
  '{"n":10,"t":400000,"c":"lifecycle","d":"<","m":{"event":"open","era":"legacy","version":"2025-11-25"}}\n' +
  '{"n":11,"t":400000,"c":"protocol","d":">","m":{"jsonrpc":"2.0","id":2,"method":"tools/list"}}\n' +
  '{"n":12,"t":400000,"c":"protocol","d":">","m":{"jsonrpc":"2.0","id":3,"method":"prompts/list"}}\n' +
  '{"n":13,"t":400000,"c":"protocol","d":">","m":{"jsonrpc":"2.0","id":4,"method":"resources/list"}}\n' +
  '{"n":14,"t":400000,"c":"protocol","d":">","m":{"jsonrpc":"2.0","id":5,"method":"resources/templates/list"}}\n' +
  '"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true' +
  '{"n":15,"t":400000,"c":"protocol","d":"<","m":{"method":"notifications/tools/list_changed","jsonrpc":"2.0"}}\n' +
  '{"n":16,"t":400000,"c":"protocol","d":"<","m":{"result":{"tools":[{"name":"","title":"","description":"' +
  '{"n":29,"t":6000000,"c":"protocol","d":">","m":{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"","method":"resources/read","params":{"uri":"' +
  '{"n":29,"t":6000000,"c":"protocol","d":">","m":{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"","arguments":{"message":""},"_meta":{"progressToken":7}}}}\n' +
  '{"n":30,"t":6000000,"c":"protocol","d":"<","m":{"result":{"content":[{"type":"text","text":""}]},"jsonrpc":"2.0","id":7}}\n' +
  '{"n":39,"t":10000000,"c":"lifecycle","d":"<","m":{"event":"closing","reason":"shutdown","reason":"user"}}\n' +
  '{"n":40,"t":10000000,"c":"lifecycle","d":"<","m":{"event":"rung","rung":"stdin-end"}}\n{"n":41,"t":10000000,"c":"lifecycle","d":"<","m":{"event":"exit","code":0,"signal":null}}\n' +
  '{"n":42,"t":10000000,"c":"lifecycle","d":"<","m":{"event":"closed"}}\n{"k":"end","t":10000000,"frames":42}\n';

/**
 * The dictionary of links that start with `1.`. The most likely text stands last. At most 32 KiB, the reach of deflate.
 */
export const LINK_DICTIONARY = WORDS + SCHEMA + HTTP + MESSAGES + SESSION;
