import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PID_NAMESPACE } from '@/proxy/files/process-identity';
import { readTapControl, removeStaleTapControls } from '@/proxy/files/tap-control-files';
import { ControlLink } from './control-link';
import { CONTROL_LINE_BYTES } from './control-messages';
import { ControlServer } from './control-server';

const SESSION = '0123456789abcdef';

describe.skipIf(process.platform === 'win32')('the socket of a tap', { timeout: 20_000 }, () => {
  let home: string;
  let recordings: string;
  let server: ControlServer | undefined;
  const sockets: Socket[] = [];
  const asked: object[] = [];
  let peers = 0;
  let gone = 0;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'tap-control-'));
    recordings = join(home, 'recordings');
    asked.length = peers = gone = 0;
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server?.close();
    rmSync(home, { recursive: true, force: true });
  });

  const start = async (at = recordings) => {
    server = await ControlServer.start(at, SESSION, () => {
      peers++;
      return {
        async request(message) {
          asked.push(message);
          return { echo: message };
        },
        gone: () => void gone++,
      };
    });
    return readTapControl(at, { pid: process.pid, space: PID_NAMESPACE, session: SESSION })!;
  };
  const open = (path: string): Socket => {
    const socket = connect(path).on('error', () => {});
    sockets.push(socket);
    return socket;
  };
  const ended = (socket: Socket) => new Promise((resolve) => socket.resume().once('close', resolve));

  test('is only for this user, and is gone with its address at the end', async () => {
    const { path, token } = await start();
    expect(dirname(path)).toBe(join(home, 'taps'));
    const [folder, socket, address] = [join(home, 'taps'), path, path.replace('.sock', '.json')];
    expect([folder, socket, address].map((file) => statSync(file).mode & 0o777)).toEqual([0o700, 0o600, 0o600]);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    server!.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('answers each request, and says when its peer is gone', async () => {
    const link = await ControlLink.open(await start(), () => {});
    expect(await Promise.all([link.request({ a: 1 }), link.request({ b: 2 })])).toMatchObject([
      { echo: { a: 1 } },
      { echo: { b: 2 } },
    ]);
    expect(gone).toBe(0);
    link.close();
    await vi.waitFor(() => expect(gone).toBe(1));
    await expect(link.request({ c: 3 })).rejects.toMatchObject({ code: 'no-tap' });
  });

  test('has a short path if the data folder has a long one', async () => {
    const long = join(home, 'x'.repeat(90), 'recordings');
    const { path, token } = await start(long);
    expect(Buffer.byteLength(path)).toBeLessThan(104);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    const link = await ControlLink.open({ session: SESSION, path, token }, () => {});
    link.close();
    server!.close();
    expect(existsSync(dirname(path))).toBe(false);
  });

  test('of a tap that was killed is removed, and nothing else', async () => {
    const { path } = await start();
    const folder = dirname(path);
    const dead = `p4194000.${PID_NAMESPACE}`;
    const elsewhere = mkdtempSync(join(tmpdir(), 'mcp-inspect-'));
    const kept = join(elsewhere, 'tap.sock');
    writeFileSync(kept, 'not a socket');
    writeFileSync(join(folder, `${dead}.sock`), '');
    writeFileSync(join(folder, `${dead}.json`), JSON.stringify({ session: SESSION, path: kept, token: '' }));
    writeFileSync(join(folder, 'p4194000.000000.json'), 'of another machine');
    writeFileSync(join(folder, 'notes.txt'), '');
    removeStaleTapControls(recordings);
    expect(readdirSync(folder).sort()).toEqual(
      [
        `p${process.pid}.${PID_NAMESPACE}.json`,
        `p${process.pid}.${PID_NAMESPACE}.sock`,
        'notes.txt',
        'p4194000.000000.json',
      ].sort(),
    );
    expect(readFileSync(kept, 'utf8')).toBe('not a socket');
    rmSync(elsewhere, { recursive: true });
  });

  test('is not taken for that of another session with the same process id', async () => {
    await start();
    expect(readTapControl(recordings, { pid: process.pid, space: PID_NAMESPACE, session: 'other' })).toBeUndefined();
    expect(readTapControl(recordings, { pid: 1, space: undefined, session: SESSION })).toBeUndefined();
  });

  test('replaces what a killed process with the same id left', async () => {
    mkdirSync(join(home, 'taps'), { recursive: true });
    const name = join(home, 'taps', `p${process.pid}.${PID_NAMESPACE}`);
    for (const end of ['.sock', '.json', '.json.new']) writeFileSync(`${name}${end}`, 'old');
    const link = await ControlLink.open(await start(), () => {});
    link.close();
  });

  test.each([
    ['a wrong token', () => '{"token":"0000"}\n'],
    ['no token', () => '{"do":"set-rules"}\n'],
    ['junk', () => '\u0000\u0001\n'],
    ['a long first line', () => 'x'.repeat(300)],
    ['requests before the answer', (token: string) => `{"token":"${token}"}\n{"ref":1}\n`],
  ])('attack: refuses %s', async (_, first) => {
    const { path, token } = await start();
    const socket = open(path);
    socket.write(first(token));
    await ended(socket);
    expect([peers, asked]).toEqual([0, []]);
  });

  test('attack: ends a peer that sends junk, or more than a request can be', async () => {
    const { path, token } = await start();
    for (const junk of ['junk\n', '[]\n', '{"ref":"1"}\n', 'x'.repeat(CONTROL_LINE_BYTES + 1)]) {
      const socket = open(path);
      socket.write(`{"token":"${token}"}\n`);
      await once(socket, 'data');
      socket.write(junk);
      await ended(socket);
    }
    expect(asked).toEqual([]);
    await vi.waitFor(() => expect(gone).toBe(4));
  });

  test('attack: takes no more peers than a few', async () => {
    const { path } = await start();
    const many = Array.from({ length: 40 }, () => open(path));
    let closed = 0;
    for (const socket of many) socket.resume().once('close', () => closed++);
    await vi.waitFor(() => expect(closed).toBeGreaterThanOrEqual(24));
    // Those that never send the token make room.
    await vi.waitFor(() => expect(closed).toBe(40), 10_000);
    const link = await ControlLink.open({ ...(await start()) }, () => {});
    link.close();
  });

  test('attack: waits for a peer that asks and does not read', async () => {
    const { path, token } = await start();
    const socket = open(path);
    socket.write(`{"token":"${token}"}\n`);
    await once(socket, 'data');
    socket.pause();
    const request = `${JSON.stringify({ ref: 1, text: 'x'.repeat(100_000) })}\n`;
    const flood = setInterval(() => {
      if (!socket.writableNeedDrain) for (let n = 0; n < 20; n++) socket.write(request);
    }, 1);
    await vi.waitFor(() => expect(socket.writableNeedDrain).toBe(true));
    let before = -1;
    await vi.waitFor(async () => {
      [before] = [asked.length];
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(asked.length).toBe(before);
    }, 10_000);
    clearInterval(flood);
    expect(before).toBeLessThan(200);
  });
});
