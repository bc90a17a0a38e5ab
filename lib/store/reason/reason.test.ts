import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cpuMs } from '@/lib/wire/test-cpu-time';
import { endingReason } from './reason';

/**
 * Endings of real programs: `=== title | source`, `=> the reason`, then stderr. Without a source, this is what the
 * program printed, with paths and repeated frames shortened. A source is the public issue that quotes it.
 */
const ENDINGS = readFileSync(new URL('fixtures/endings.txt', import.meta.url), 'utf8')
  .split(/^=== /m)
  .slice(1)
  .map((section) => {
    const [title = '', reason = '', ...lines] = section.trimEnd().split('\n');
    return { title, reason: reason.replace('=> ', ''), lines };
  });

const of = (...stderr: readonly string[]) => endingReason({ stderr, stdout: [] });
const many = (text: string, count = 20) => Array.from({ length: count }, (_, at) => `${text} ${at}`);

describe('the reason of a real ending', () => {
  test.each(ENDINGS)('$title', ({ reason, lines }) => {
    expect(of(...lines)?.text).toBe(reason);
  });

  test.each(ENDINGS)('$title, on stdout and with CRLF', ({ reason, lines }) => {
    const stdout = lines.map((line) => `${line}\r`);
    expect(endingReason({ stderr: [], stdout })).toMatchObject({ text: reason, stream: 'stdout' });
  });

  test.each(ENDINGS)('$title, after a log and before what a wrapper says', ({ reason, lines }) => {
    const log = ['INFO: starting', '2026-01-01 ERROR retried: Error: timed out', ...many('[info] working', 60)];
    expect(
      of(...log, ...lines, '', 'error: script "start" exited with code 1', ' ELIFECYCLE  Command failed.')?.text,
    ).toBe(reason);
  });
});

describe('a Python program', () => {
  const TRACEBACK = ['Traceback (most recent call last):', '  File "/srv/s.py", line 1, in <module>', '    f()'];

  test('has settings that miss a field', () => {
    const problem = '  Field required [type=missing, input_value={}, input_type=dict]';
    const error = 'pydantic_core._pydantic_core.ValidationError: 2 validation errors for Settings';
    const link = '    For further information visit https://errors.pydantic.dev/2.12/v/missing';
    expect(of(...TRACEBACK, error, 'API_KEY', problem, link, 'REGION', problem, link)?.text).toBe(
      `${error}: API_KEY: Field required`,
    );
    const whole = '  Invalid JSON: expected value at line 1 column 1 [type=json_invalid, input_value=1]';
    expect(of(...TRACEBACK, error, whole, link)?.text).toBe(
      `${error}: Invalid JSON: expected value at line 1 column 1`,
    );
  });

  test('prints its traceback in a box', () => {
    const box = [
      '╭─────────────── Traceback (most recent call last) ───────────────╮',
      '│ /srv/server.py:5 in main                                        │',
      '│ ❱ 5     raise ValueError("API_KEY is not set")                  │',
      '╰─────────────────────────────────────────────────────────────────╯',
    ];
    expect(of(...box, 'ValueError: API_KEY is not set')?.text).toBe('ValueError: API_KEY is not set');
    const group = ['ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)'];
    const member = [
      '╭─ Sub-exception #1 ─╮',
      '│ ╭─ Traceback ─╮    │',
      '│ ╰─────────────╯    │',
      "│ KeyError: 'A'      │",
      '╰────────────────────╯',
    ];
    expect(of(...box, ...group, ...member)?.text).toBe("KeyError: 'A'");
  });

  test('is interrupted after an error', () => {
    expect(of('FATAL: no database', ...TRACEBACK, 'KeyboardInterrupt')?.text).toBe('FATAL: no database');
    expect(of(...TRACEBACK, 'KeyboardInterrupt')?.text).toBe('KeyboardInterrupt');
  });

  test('has a group whose tasks were cancelled', () => {
    const tree = [
      '  + Exception Group Traceback (most recent call last):',
      '  |   File "/srv/s.py", line 9, in <module>',
      '  | BaseExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions)',
      '  +-+---------------- 1 ----------------',
      '    | Traceback (most recent call last):',
      '    |   File "/srv/s.py", line 4, in a',
      '    | asyncio.exceptions.CancelledError',
      '    +---------------- 2 ----------------',
      '    | Traceback (most recent call last):',
      '    |   File "/srv/s.py", line 2, in b',
      '    | KeyError: 1',
      '    | ',
      '    | The above exception was the direct cause of the following exception:',
      '    | ',
      '    | Traceback (most recent call last):',
      '    |   File "/srv/s.py", line 3, in b',
      '    | RuntimeError: no region',
      '    +------------------------------------',
    ];
    expect(of(...tree)?.text).toBe('RuntimeError: no region');
  });
});

describe('other programs', () => {
  test.each<[string, readonly string[], string]>([
    [
      'Gradle',
      [
        'FAILURE: Build failed with an exception.',
        '',
        '* What went wrong:',
        "Task 'serve' not found in root project 'acme'.",
        '',
        '* Try:',
        '> Run with --stacktrace option to get the stack trace.',
        '',
        'BUILD FAILED in 1s',
      ],
      "Task 'serve' not found in root project 'acme'.",
    ],
    [
      'a program that Gradle ran',
      [
        'Exception in thread "main" java.lang.IllegalStateException: no token',
        '\tat acme.Main.main(Main.java:3)',
        '* What went wrong:',
        "Execution failed for task ':run'.",
        "> Process 'command '/usr/bin/java'' finished with non-zero exit value 1",
      ],
      'Exception in thread "main" java.lang.IllegalStateException: no token',
    ],
    [
      'Maven',
      [
        '[INFO] Scanning for projects...',
        '[ERROR] Failed to execute goal on project acme: Could not resolve dependencies -> [Help 1]',
        '[ERROR] ',
        '[ERROR] Re-run Maven using the -X switch to enable full debug logging.',
        '[ERROR] [Help 1] http://cwiki.apache.org/confluence/display/MAVEN/DependencyResolutionException',
      ],
      '[ERROR] Failed to execute goal on project acme: Could not resolve dependencies',
    ],
    [
      'a cause of a JVM whose message is a list',
      [
        'ERROR (main) Failed to start application: java.lang.RuntimeException: Failed to start quarkus',
        '\tat io.quarkus.runner.ApplicationImpl.doStart(Unknown Source)',
        'Caused by: io.smallrye.config.ConfigValidationException: Configuration validation failed:',
        '\tjava.util.NoSuchElementException: The config property acme.token is required',
        '\tat io.smallrye.config.ConfigMappingProvider.mapConfiguration(ConfigMappingProvider.java:1)',
      ],
      'io.smallrye.config.ConfigValidationException: Configuration validation failed: java.util.NoSuchElementException: The config property acme.token is required',
    ],
    [
      'uv with Git',
      [
        '  × Failed to download and build `acme @ git+https://github.com/acme/mcp`',
        '  ├─▶ Git operation failed',
        '  ├─▶ failed to clone into: /root/.cache/uv/git-v0/db/123',
        "  ╰─▶ process didn't exit successfully: `/usr/bin/git fetch` (exit status: 128)",
        '      --- stderr',
        "      fatal: could not read Username for 'https://github.com': terminal prompts disabled",
      ],
      "Failed to download and build `acme @ git+https://github.com/acme/mcp`: fatal: could not read Username for 'https://github.com': terminal prompts disabled",
    ],
    [
      'a console of Symfony',
      ['', '  Command "mcp:start" is not defined.', '', '  Did you mean one of these?', '      make:command', ''].map(
        (line) => line.padEnd(40),
      ),
      'Command "mcp:start" is not defined.',
    ],
    [
      'asdf',
      [
        'No version is set for command node',
        'Consider adding one of the following versions in your config file at /srv/.tool-versions',
        'nodejs 20.0.0',
      ],
      'No version is set for command node',
    ],
    [
      'Spring Boot',
      [
        '***************************',
        'APPLICATION FAILED TO START',
        '***************************',
        '',
        'Description:',
        '',
        'Web server failed to start. Port 8080 was already in use.',
        '',
        'Action:',
        '',
        'Identify the process.',
      ],
      'Web server failed to start. Port 8080 was already in use.',
    ],
    [
      'a JVM with a suppressed exception',
      [
        'Exception in thread "main" java.lang.RuntimeException: outer',
        '\tat a.B.main(B.java:1)',
        '\tSuppressed: java.io.IOException: close',
        '\t\tat a.B.close(B.java:2)',
        '\tCaused by: java.io.IOException: deep',
        '\t\t... 1 more',
        'Caused by: java.lang.IllegalStateException: inner',
        '\t... 1 more',
      ],
      'java.lang.IllegalStateException: inner',
    ],
    [
      '.NET with an inner exception',
      [
        'Unhandled exception. System.TypeInitializationException: The type initializer threw an exception.',
        ' ---> System.InvalidOperationException: no token',
        '   at Settings..cctor() in /srv/Program.cs:line 3',
        '   --- End of inner exception stack trace ---',
        '   at Program.Main()',
      ],
      'Unhandled exception. System.TypeInitializationException: The type initializer threw an exception. ---> System.InvalidOperationException: no token',
    ],
    [
      'the logger of .NET',
      [
        'info: Program[0]',
        '      starting',
        'fail: Program[0]',
        '      no token',
        'info: Program[0]',
        '      stopping',
      ],
      'fail: Program[0] no token',
    ],
    [
      'anyhow',
      [
        'Error: could not start',
        '',
        'Caused by:',
        '    0: could not read /etc/x',
        '    1: No such file or directory (os error 2)',
      ],
      'Error: could not start: No such file or directory (os error 2)',
    ],
    [
      'clap',
      [
        'error: the following required arguments were not provided:',
        '  --token <TOKEN>',
        '',
        'Usage: server --token <TOKEN>',
        '',
        "For more information, try '--help'.",
      ],
      'error: the following required arguments were not provided: --token <TOKEN>',
    ],
    [
      'cobra',
      [
        'Error: required flag(s) "token" not set',
        'Usage:',
        '  server [flags]',
        '',
        'Flags:',
        ...many('  -t, --token string   token', 45),
      ],
      'Error: required flag(s) "token" not set',
    ],
    [
      'an old panic of Rust',
      [
        "thread 'main' panicked at 'no token', src/main.rs:4:5",
        'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace',
      ],
      "thread 'main' panicked at 'no token', src/main.rs:4:5",
    ],
    [
      'Elixir',
      ['** (RuntimeError) no token', '    (server 0.1.0) lib/server.ex:3: Server.start/2'],
      '** (RuntimeError) no token',
    ],
    [
      'Symfony',
      ['', 'In Kernel.php line 12:', '                 ', '  No token given  ', '                 ', ''],
      'No token given',
    ],
    [
      'Laravel',
      [
        '',
        '   RuntimeException ',
        '',
        '  No application encryption key has been specified.',
        '',
        '  at vendor/laravel/framework/src/EncryptionServiceProvider.php:83',
      ],
      'RuntimeException: No application encryption key has been specified.',
    ],
    [
      'node-gyp below npx',
      [
        'npm error code 1',
        'npm error path /srv/node_modules/x',
        'npm error command failed',
        'npm error command sh -c node-gyp rebuild',
        'npm error gyp info it worked if it ends with ok',
        'npm error gyp ERR! stack Error: Could not find any Python installation to use',
        'npm error A complete log of this run can be found in: /x',
      ],
      'npm error gyp ERR! stack Error: Could not find any Python installation to use',
    ],
    [
      'an AggregateError of Node',
      [
        'AggregateError [ECONNREFUSED]: ',
        '    at internalConnectMultiple (node:net:1122:18) {',
        "  code: 'ECONNREFUSED',",
        '  [errors]: [',
        '    Error: connect ECONNREFUSED ::1:5432',
        '        at createConnectionError (node:net:1652:14),',
        '  ]',
        '}',
        '',
        'Node.js v22.1.0',
      ],
      'AggregateError [ECONNREFUSED]: (cause: Error: connect ECONNREFUSED ::1:5432)',
    ],
    [
      'cmd.exe',
      ["'npx' is not recognized as an internal or external command,", 'operable program or batch file.'],
      "'npx' is not recognized as an internal or external command,",
    ],
    [
      'a pull by docker',
      [
        "Unable to find image 'a/b:latest' locally",
        'latest: Pulling from a/b',
        'a1b2c3d4e5f6: Pull complete',
        'Digest: sha256:abc',
        'Status: Downloaded newer image for a/b:latest',
        'GITHUB_TOKEN not set',
      ],
      'GITHUB_TOKEN not set',
    ],
    [
      'pino',
      ['{"level":30,"msg":"starting"}', '{"level":60,"msg":"no token"}', '{"level":30,"msg":"bye"}'],
      '{"level":60,"msg":"no token"}',
    ],
    [
      'an HTTP client',
      ['AxiosError: Request failed with status code 401', '    at settle (/srv/node_modules/axios/settle.js:19:12)'],
      'AxiosError: Request failed with status code 401',
    ],
    [
      'bundler',
      ['bundler: command not found: mcp-server', 'Install missing gem executables with `bundle install`'],
      'bundler: command not found: mcp-server',
    ],
    [
      'C++',
      [
        "terminate called after throwing an instance of 'std::runtime_error'",
        '  what():  no token',
        'Aborted (core dumped)',
      ],
      'what(): no token',
    ],
    [
      'Lua',
      ['lua: s.lua:1: attempt to call a nil value', 'stack traceback:', '\t[C]: in ?'],
      'lua: s.lua:1: attempt to call a nil value',
    ],
    [
      'Perl',
      ["Can't locate Mcp.pm in @INC at s.pl line 1.", 'BEGIN failed--compilation aborted at s.pl line 1.'],
      "Can't locate Mcp.pm in @INC at s.pl line 1.",
    ],
    [
      'yarn',
      ['Usage Error: The nearest package directory is not part of the project', '', '$ yarn run [--inspect]'],
      'Usage Error: The nearest package directory is not part of the project',
    ],
    [
      'ts-node',
      [
        'TSError: ⨯ Unable to compile TypeScript:',
        "src/a.ts:3:5 - error TS2304: Cannot find name 'foo'.",
        '',
        '    at createTSError (/srv/ts-node/index.ts:859:12)',
      ],
      "TSError: ⨯ Unable to compile TypeScript: src/a.ts:3:5 - error TS2304: Cannot find name 'foo'.",
    ],
    [
      'typer',
      [
        'Usage: server [OPTIONS]',
        "Try 'server --help' for help.",
        '╭─ Error ──────────────────╮',
        "│ Missing option '--token'. │",
        '╰──────────────────────────╯',
      ],
      "Missing option '--token'.",
    ],
    [
      'loguru',
      [
        '2026-01-01 | ERROR | __main__ - boom',
        'Traceback (most recent call last):',
        '',
        '> File "/srv/s.py", line 3, in <module>',
        '    f()',
        '    └ <function f at 0x7f>',
        '',
        'ValueError: no region',
      ],
      'ValueError: no region',
    ],
    [
      'a message below its type',
      [
        'Traceback (most recent call last):',
        '  File "/srv/s.py", line 3',
        'RuntimeError: ',
        '        An attempt has been made to start a new process.',
      ],
      'RuntimeError: An attempt has been made to start a new process.',
    ],
    [
      'dotnet build',
      [
        "/srv/Program.cs(3,1): error CS0103: The name 'foo' does not exist [/srv/x.csproj]",
        '',
        'The build failed. Fix the build errors and run again.',
      ],
      "/srv/Program.cs(3,1): error CS0103: The name 'foo' does not exist [/srv/x.csproj]",
    ],
  ])('%s', (_, lines, reason) => {
    expect(of(...lines)?.text).toBe(reason);
  });
});

describe('without an exception', () => {
  test('the newest error wins, and an old one does not count', () => {
    expect(of('Error: retried', 'FATAL: gave up: no database')?.text).toBe('FATAL: gave up: no database');
    expect(of('Error: an old one', ...many('', 40).map((text) => text.trim()))).toMatchObject({
      text: '39',
      isError: false,
    });
  });

  test('of a usage screen, its first line', () => {
    const lines = [
      'Usage: buildmcp <command> [options]',
      '',
      'Commands:',
      '  mcp                   Start the MCP server (for use with MCP clients)',
      '  project-discovery     Project Discovery',
      '  daemon <action>       Manage the daemon',
      '',
      'Options:',
      '      --log-level               Set log verbosity level  [string]',
      '  -v, --version                 Show version number  [boolean]',
      '',
      "Run 'buildmcp mcp' to start the MCP server.",
      "Run 'buildmcp <workflow> <tool> --help' for tool-specific help.",
    ];
    expect(of(...lines)).toMatchObject({ text: 'Usage: buildmcp <command> [options]', isCalm: false });
  });

  test('a plain line says more than calm log lines, warnings and usage', () => {
    const lines = ['config.yaml has no key "region"', '[INFO] stopping', 'WARNING: cache kept', 'Usage: server CONFIG'];
    expect(of(...lines)).toMatchObject({ text: lines[0], index: 0, isError: false });
  });

  test('the source code below a warning of Python is not a reason', () => {
    const warning = ['/srv/s.py:3: UserWarning: old config', '  warnings.warn("old config", UserWarning)'];
    expect(of('starting', ...warning)?.text).toBe('starting');
    expect(of(...warning)).toMatchObject({ isCalm: true });
  });

  test('hints, links, frames and progress are never the reason', () => {
    expect(
      of(
        "Run 'docker run --help' for more information",
        'https://example.com',
        '    at f (a.js:1:1)',
        'Installed 3 packages in 2ms',
        '{',
        '',
        'Node.js v22.1.0',
      ),
    ).toBeUndefined();
    expect(of()).toBeUndefined();
  });

  test('an error on stdout counts more than a plain line on stderr', () => {
    expect(endingReason({ stderr: ['starting'], stdout: ['up', 'Error: no port'] })).toMatchObject({
      text: 'Error: no port',
      stream: 'stdout',
      index: 1,
    });
    expect(endingReason({ stderr: ['Error: no port'], stdout: ['Error: x'] })).toMatchObject({ stream: 'stderr' });
  });

  test('the index counts the lines that were not searched', () => {
    expect(of(...many('INFO', 900), 'Error: no ship')).toMatchObject({ index: 900, isError: true });
  });

  test('is fast on hostile lines', () => {
    const began = cpuMs();
    const long = [
      'a.'.repeat(1000),
      'a: '.repeat(700),
      '('.repeat(2000),
      ' '.repeat(2000),
      '0 '.repeat(1000),
      '"level":'.repeat(250),
      'error '.repeat(300),
      '-'.repeat(2000),
      'at '.repeat(600),
    ];
    endingReason({ stderr: Array.from({ length: 50 }, () => long).flat(), stdout: [] });
    expect(cpuMs() - began).toBeLessThan(2000);
  });
});
