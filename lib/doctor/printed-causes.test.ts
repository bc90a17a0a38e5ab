import { describe, expect, test } from 'vitest';
import { endingReason } from '@/lib/store/reason/reason';
import { type Printed, printedCause } from './printed-causes';

const EXIT = (code: number) => ({ code, signal: null });

/** Returns the cause for a command whose process printed these lines on stderr. */
function cause(command: string, exit: Printed['exit'], stderr: readonly string[] = [], more: Partial<Printed> = {}) {
  const reason = endingReason({ stderr, stdout: [] });
  return printedCause({
    command: command.split(' '),
    exit,
    stderr,
    stdout: [],
    opened: false,
    hasSent: false,
    reason,
    ...more,
  });
}

describe('a container', () => {
  test.each([
    'docker run --rm mcp/time',
    '/usr/bin/podman run mcp/time',
    'docker run -e KEY=i mcp/time',
    'docker run -e -i --name time mcp/time -i',
    'docker exec time mcp-server',
    'nerdctl --namespace x run --interactive=false mcp/time',
  ])('%s has no stdin', (command) => {
    expect(cause(command, EXIT(0))).toMatchObject({
      code: 'container-without-stdin',
      what: expect.stringContaining('without `-i`'),
      advice: expect.stringMatching(/^Write `(?:docker|podman|nerdctl) (?:run|exec) -i …`\.$/),
    });
    expect(cause(command, undefined, ['starting'])?.code).toBe('container-without-stdin');
  });

  test.each([
    'docker run -i mcp/time',
    'docker run --rm -i -e A=b mcp/time',
    'docker run --interactive=true x',
    'docker run -e A=b --name x -i y',
    'docker exec -i time x',
    'docker compose run time',
    'docker ps',
    'node run x',
  ])('%s is not blamed for its stdin', (command) => {
    expect(cause(command, EXIT(1), ['no'])).toBeUndefined();
  });

  test('is not blamed if it answers, or if docker states an error', () => {
    const docker = 'docker run mcp/time';
    expect(cause(docker, EXIT(1), ['Error: no token'])).toBeUndefined();
    expect(cause(docker, EXIT(125), ['docker: Cannot connect to the Docker daemon.'])).toBeUndefined();
    expect(cause(docker, EXIT(1), ['x'], { hasSent: true })).toBeUndefined();
  });

  test('in the background, or with a terminal', () => {
    expect(cause('docker run -d mcp/time', EXIT(0), [], { stdout: ['a1b2'] })?.code).toBe('container-in-background');
    expect(cause('docker run -it mcp/time', EXIT(1), ['the input device is not a TTY'])).toMatchObject({
      code: 'container-tty',
      advice: 'Write `docker run -i` instead of `-it`.',
    });
  });
});

describe('a package that Python does not have', () => {
  const missing = (name: string) => [
    'Traceback (most recent call last):',
    '  File "s.py"',
    `ModuleNotFoundError: ${name}`,
  ];
  const MCP = missing("No module named 'mcp'");

  test('the interpreter is named, and uv is offered', () => {
    expect(cause('python3 server.py --x', EXIT(1), MCP, { program: '/usr/bin/python3' })).toEqual({
      code: 'module-missing',
      what: 'The interpreter `/usr/bin/python3` ran the server, and it does not have the package `mcp`.',
      advice: 'Run `uv run --with mcp server.py --x`, or install `mcp` there.',
    });
  });

  test('the environment of the folder is offered', () => {
    const places = { program: '/usr/bin/python3', venv: '/srv/.venv/bin/python' };
    expect(cause('python3 server.py', EXIT(1), missing("No module named 'mcp.server'"), places)).toMatchObject({
      what: expect.stringContaining('`mcp`'),
      advice: 'Run `/srv/.venv/bin/python server.py`, or `uv run server.py`.',
    });
  });

  test('uv and other commands', () => {
    expect(cause('uv run server.py', EXIT(1), MCP)).toMatchObject({
      what: 'The Python interpreter ran the server, and it does not have the package `mcp`.',
      advice: 'Add it: `uv add mcp`, or `uv run --with mcp …`.',
    });
    expect(cause('./start.sh', EXIT(1), MCP)?.advice).toBe('Install `mcp` for that interpreter.');
  });

  test('a file that hides the package, and the module of -m', () => {
    const hidden = missing("No module named 'mcp.server'; 'mcp' is not a package");
    expect(cause('python s.py', EXIT(1), hidden)).toMatchObject({ what: expect.stringContaining('`mcp.py`') });
    const noMain = [
      "/usr/bin/python: No module named acme.__main__; 'acme' is a package and cannot be directly executed",
    ];
    expect(cause('python -m acme', EXIT(1), noMain)).toMatchObject({
      what: 'Python found the package `acme`, but it has no `__main__` to run.',
      advice: expect.not.stringContaining('nstall'),
    });
    expect(cause('python -m nope', EXIT(1), ['/usr/bin/python: No module named nope'])).toMatchObject({
      what: 'The interpreter `python` has no module `nope`.',
      advice: expect.stringContaining('after `-m`'),
    });
  });
});

describe('a program that reached its end', () => {
  test.each<[string, RegExp]>([
    ['python3 server.py', /`mcp\.run\(\)`/],
    ['uv run server.py', /`mcp\.run\(\)`/],
    ['/opt/bin/node server.js', /StdioServerTransport/],
    ['./server', /waits for messages on stdin/],
  ])('%s', (command, advice) => {
    expect(cause(command, EXIT(0))).toMatchObject({
      code: 'ended-without-serving',
      what: 'It printed nothing, so its program reached its end.',
      advice: expect.stringMatching(advice),
    });
  });

  test('what it printed is not denied, and an error is not hidden', () => {
    expect(cause('node s.js', EXIT(0), ['up'])?.what).toContain('It reported no error');
    expect(cause('node s.js', EXIT(0), ['Error: no token'])).toBeUndefined();
    expect(cause('node s.js', EXIT(0), [], { opened: true })).toBeUndefined();
    expect(cause('node s.js', EXIT(1))).toBeUndefined();
  });
});

describe('a program that runs', () => {
  test('and answers on stderr', () => {
    const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
    expect(cause('./server', undefined, ['starting', answer])).toMatchObject({
      code: 'messages-on-stderr',
      what: `It printed a message on stderr: \`${answer}\`. Clients read messages on stdout.`,
    });
    for (const line of [`sent ${answer}`, '{"jsonrpc":"2.0","id":1,"method":"initialize"}'])
      expect(cause('./server', undefined, [line])?.code).not.toBe('messages-on-stderr');
    expect(cause('./server', undefined, [answer], { hasSent: true })).toBeUndefined();
    expect(cause('./server', EXIT(1), [answer])).toBeUndefined();
  });

  test('and serves HTTP', () => {
    const address = { url: 'http://localhost:8000/', line: 'up on \u001b[32mport 8000\u001b[0m', isProbed: true };
    const found = { url: 'http://127.0.0.1:8000/mcp', transport: 'http' } as const;
    expect(cause('python s.py', undefined, ['x'], { address: { ...address, found } })).toEqual({
      code: 'serves-http',
      what: 'The server serves MCP over HTTP at http://127.0.0.1:8000/mcp, but mcp-inspect started it as a stdio server.',
      advice: 'Connect to that URL while the server runs. Or start it with its stdio transport.',
    });
    expect(cause('python s.py', undefined, ['x'], { address })).toMatchObject({
      code: 'printed-url',
      what: 'The server printed `up on port 8000`. No MCP server answered at http://localhost:8000/, at /mcp or at /sse. It may serve HTTP, but mcp-inspect started it as a stdio server.',
    });
    expect(cause('python s.py', undefined, ['x'], { address: { ...address, isProbed: false } })?.what).toBe(
      'The server printed `up on port 8000`. It may serve HTTP, but mcp-inspect started it as a stdio server.',
    );
    expect(cause('python s.py', EXIT(1), ['x'], { address })).toBeUndefined();
    expect(cause('python s.py', undefined, ['x'], { address, hasSent: true })).toBeUndefined();
  });
});

describe('messages that are not JSON in UTF-8 on one line', () => {
  const message = '{"jsonrpc":"2.0","id":1,"result":{}}';

  test.each([
    ['a header', 'Content-Length: 134\r', /^The server printed `Content-Length: 134`\. It frames messages with/],
    ['UTF-16', [...message].join('\0'), /^The server printed `\{"jsonrpc":.+`\. It writes its messages in UTF-16\.$/],
    ['JSON in a JSON string', JSON.stringify(message), /It encodes its messages twice: each is a JSON string/],
  ])('%s is named', (_what, line, words) => {
    const found = cause('server', undefined, [], { stdout: [line] });
    expect(found).toMatchObject({ code: 'wrong-framing', what: expect.stringMatching(words) });
    expect(cause('server', undefined, [], { stdout: [line], hasSent: true })).toBeUndefined();
  });

  test.each(['Starting on port 3', '"ready"', 'Content-Length of the page: 5'])('%j is another line', (line) => {
    expect(cause('server', undefined, [], { stdout: [line] })).toBeUndefined();
  });
});
