/** A {@link TypeText} taken apart. */
export type TypeNode =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: string }
  | { readonly kind: 'list'; readonly item: TypeNode; readonly most: number | undefined }
  | { readonly kind: 'map'; readonly member: TypeNode }
  | { readonly kind: 'union'; readonly branches: readonly TypeNode[] };

const TOKEN = /\s*('[^']*'|[\w]+|\[\d*\]|[{}|()])/gy;

/** Reads a type. Throws SyntaxError for a row that is miswritten: a mistake of ours. */
export function parseType(text: string): TypeNode {
  const tokens: string[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    tokens.push(match[1]!);
    end = match.index + match[0].length;
  }
  if (end < text.length) throw new SyntaxError(`${text}: what is ${text.slice(end)}?`);
  const node = union(tokens);
  if (tokens.length > 0) throw new SyntaxError(`${text}: what is ${tokens[0]}?`);
  return node;
}

function union(tokens: string[]): TypeNode {
  const branches = [postfix(tokens)];
  while (tokens[0] === '|') {
    tokens.shift();
    branches.push(postfix(tokens));
  }
  return branches.length === 1 ? branches[0]! : { kind: 'union', branches };
}

function postfix(tokens: string[]): TypeNode {
  let node = primary(tokens);
  while (tokens[0]?.startsWith('[')) {
    const most = tokens.shift()!.slice(1, -1);
    node = { kind: 'list', item: node, most: most === '' ? undefined : Number(most) };
  }
  return node;
}

function primary(tokens: string[]): TypeNode {
  const token = tokens.shift();
  if (token === '(' || token === '{') {
    const inner = union(tokens);
    if (tokens.shift() !== (token === '(' ? ')' : '}')) throw new SyntaxError(`${token} is not closed`);
    return token === '(' ? inner : { kind: 'map', member: inner };
  }
  if (token?.startsWith("'")) return { kind: 'literal', value: token.slice(1, -1) };
  if (token !== undefined && /^\w+$/.test(token)) return { kind: 'name', name: token };
  throw new SyntaxError(`a type is missing${token === undefined ? '' : ` before ${token}`}`);
}
