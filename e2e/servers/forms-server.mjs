// A server with schemas that are hard to draw as forms. Each tool returns the text of its call, except `complain` and
// `refuse`, which report invalid arguments like real servers do. It is plain Node, so nothing changes that text.
import { createInterface } from 'node:readline';

/** Schemas as text, so that their digits reach the client unchanged. */
const SCHEMAS = {
  unset:
    '{"type":"object","properties":{"s":{"type":"string"},"n":{"type":"integer"},"b":{"type":"boolean"},"o":{"type":"object","properties":{"x":{"type":"string"}}},"l":{"type":"array","items":{"type":"string"}},"m":{"type":"object","additionalProperties":{"type":"string"}},"d":{"type":"string","default":"dv"},"z":{"type":["string","null"],"default":null}},"required":["s","o","l"]}',
  nullable_enum:
    '{"type":"object","properties":{"level":{"anyOf":[{"type":"string","enum":["low","high"]},{"type":"null"}],"default":null}}}',
  pets: '{"type":"object","properties":{"pet":{"anyOf":[{"type":"object","title":"Cat","properties":{"kind":{"const":"cat"},"lives":{"type":"integer"}},"required":["kind","lives"]},{"type":"object","title":"Dog","properties":{"kind":{"const":"dog"},"tricks":{"type":"array","items":{"type":"string"}}},"required":["kind"]}]},"word":{"$ref":"#/$defs/Word"}},"$defs":{"Word":{"type":"string","description":"A word of the dog."}}}',
  root_union:
    '{"type":"object","oneOf":[{"properties":{"kind":{"const":"email"},"address":{"type":"string"}},"required":["kind","address"]},{"properties":{"kind":{"const":"sms"},"phone":{"type":"string"}},"required":["kind","phone"]}]}',
  big_numbers:
    '{"type":"object","properties":{"id":{"type":"integer","minimum":0,"maximum":18446744073709551615,"default":9007199254740993},"f":{"type":"number","multipleOf":0.01},"neg":{"type":"integer","minimum":-9223372036854775808}}}',
  strict:
    '{"type":"object","properties":{"name":{"type":"string"},"n":{"type":"integer"},"e":{"enum":["a","b"]}},"required":["name","n"],"additionalProperties":false}',
  nullables:
    '{"type":"object","properties":{"either":{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]},"shapes":{"anyOf":[{"type":"object","title":"Box","properties":{"w":{"type":"integer"}}},{"type":"array","title":"List","items":{"type":"string"}},{"type":"null"}]},"limits":{"type":"object","additionalProperties":{"anyOf":[{"type":"integer"},{"type":"null"}]}}}}',
  slow_pattern: '{"type":"object","properties":{"p":{"type":"string","pattern":"^(a+)+$"}}}',
  dialect: '{"$schema":"https://example.com/mine","type":"object","properties":{"a":{"type":"string"}}}',
  lists:
    '{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","properties":{"t":{"type":"string"}}}},"env":{"type":"object","additionalProperties":{"type":"string"}},"pair":{"type":"array","prefixItems":[{"type":"string","title":"left"},{"type":"integer","title":"right"}],"items":false},"tree":{"$ref":"#/$defs/Node"}},"$defs":{"Node":{"type":"object","properties":{"v":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/Node"}}}}}}',
  picks: `{"type":"object","properties":{"zone":{"enum":[${Array.from({ length: 60 }, (_, n) => `"zone-${n}"`).join()}]},"color":{"oneOf":[{"const":"#f00","title":"Red"},{"const":"#0f0","title":"Green"}]},"days":{"type":"array","items":{"enum":["mo","tu","we"]}},"model":{"anyOf":[{"enum":["small","large"]},{"type":"string"}]},"when":{"type":"string","format":"date-time"},"photo_base64":{"type":"string"}},"examples":[{"color":"#f00"}]}`,
  refuse:
    '{"type":"object","properties":{"user":{"type":"object","properties":{"age":{"type":"integer"}}},"city":{"type":"string"}}}',
  mirrored: '{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}',
  unmirrorable: '{"type":"object","properties":{"ratio":{"type":"number","x-mcp-header":"Ratio"}}}',
  complain: '{"type":"object","properties":{"city":{"type":"string"}}}',
  hostile_names:
    '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"},"a.b":{"type":"string"},"":{"type":"string"}}}',
  wide: `{"type":"object","properties":{${Array.from({ length: 730 }, (_, n) => `"p${n}":{"type":"string"}`).join()}},"required":["p700"]}`,
  // A filled-in form has thousands of open fields.
  huge: '{"type":"object","properties":{"rows":{"type":"array","items":{"$ref":"#/$defs/Row"}}},"$defs":{"Row":{"type":"object","properties":{"t":{"type":"string"},"n":{"type":"integer"},"rows":{"type":"array","items":{"$ref":"#/$defs/Row"}}}}}}',
  deep: nested(16),
  required:
    '{"type":"object","properties":{"list":{"type":"array","minItems":1,"items":{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"type":"object","properties":{"leaf":{"type":"string"}},"required":["leaf"]}},"required":["c"]}},"required":["b"]}},"required":["a"]}},"union":{"anyOf":[{"type":"object","title":"Cat","properties":{"lives":{"type":"integer"}}},{"type":"object","title":"Dog","properties":{"tricks":{"type":"string"}}}]},"address":{"type":"object","properties":{"street":{"type":"string"}},"required":["street"]},"optional":{"type":"object","properties":{"note":{"type":"string"}}}},"required":["list","union","address"]}',
  long_words:
    '{"type":"object","properties":{"aVeryLongPropertyNameThatGoesOnAndOnUntilItIsSixtyCharacters":{"type":"string"},"snake_case_name_with_many_parts_that_breaks_where_a_part_ends":{"type":"string"},"unbreakablenamewithoutanyseparatorthatisfarlongerthananyformiswide":{"type":"string"}}}',
};

function nested(levels) {
  if (levels === 0) return '{"type":"string"}';
  return `{"type":"object","properties":{"l${levels}":${nested(levels - 1)}},"required":["l${levels}"]}`;
}

const TOOLS = Object.entries(SCHEMAS).map(
  ([name, schema]) => `{"name":${JSON.stringify(name)},"inputSchema":${schema}}`,
);
// Malformed tools must not hide the others.
TOOLS.push(
  '{"name":"no_schema"}',
  '{"name":"props_null","inputSchema":{"type":"object","properties":null}}',
  '{"name":"unset","inputSchema":{"type":"object"}}',
);

const REFUSALS = {
  refuse: () =>
    `"error":{"code":-32602,"message":${JSON.stringify('Invalid arguments: [{"code":"invalid_type","path":["user","age"],"message":"Expected number, received string"},{"path":["city"],"message":"Required"}]')}}`,
  complain: () => `"result":{"isError":true,"content":[{"type":"text","text":"Missing required argument: 'city'"}]}`,
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = {
    initialize: () =>
      `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"forms","version":"1"}}`,
    'tools/list': () => `"result":{"tools":[${TOOLS.join()}]}`,
    'tools/call': () =>
      REFUSALS[params.name]?.() ?? `"result":{"content":[{"type":"text","text":${JSON.stringify(line)}}]}`,
    ping: () => '"result":{}',
  }[method];
  const body = answer?.() ?? `"error":{"code":-32601,"message":"no such method"}`;
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${body}}\n`);
});
