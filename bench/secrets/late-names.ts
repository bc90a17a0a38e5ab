/** Values that only a later message names. */
import { call, http, result, type Said, stderr } from './carriers';
import type { Draft, SecretClass } from './planted';
import type { Random } from './random';
import { machineValue, password } from './values';

const late =
  (early: (s: string) => readonly Said[], later: (s: string) => readonly Said[]) =>
  (random: Random): Draft => {
    const secret = random.pick([machineValue, machineValue, password])(random);
    const between = Array.from({ length: random.int(0, 3) }, () => result(random.words(6)));
    return { said: [...early(secret), ...between, ...later(secret)], secrets: [secret] };
  };

export const LATE: SecretClass = {
  id: 'late names',
  count: 22,
  templates: [
    late(
      (s) => [result(`Copy it now, it is shown once: ${s}`)],
      (s) => [call('login', { api_token: s })],
    ),
    late(
      (s) => [result(`Created. ${s}`)],
      (s) => [result(JSON.stringify({ access_token: s }))],
    ),
    late(
      (s) => [result(`Your new value is ${s}`)],
      (s) => stderr(`API_KEY=${s}`),
    ),
    late(
      (s) => stderr(`generated ${s}`),
      (s) => stderr(`using password: ${s}`),
    ),
    late(
      (s) => stderr(`argv[3] ${s}`),
      (s) => [result(JSON.stringify({ config: { clientSecret: s } }))],
    ),
    late(
      (s) => [call('echo', { message: s })],
      (s) => [call('connect', { password: s })],
    ),
    late(
      (s) => [call('save', { note: `use ${s} for staging` })],
      (s) => [result(`curl -H "Authorization: Bearer ${s}" https://acme.io`)],
    ),
    late(
      (s) => [JSON.stringify({ jsonrpc: '2.0', id: 3, result: { value: s } })],
      (s) => [call('connect', { apiKey: s })],
    ),
    late(
      (s) => [JSON.stringify({ jsonrpc: '2.0', id: 3, result: { action: 'accept', content: { answer: s } } })],
      (s) => [call('sign_in', { passphrase: s })],
    ),
    late(
      (s) => [result(`| prod | ${s} |`)],
      (s) => [result(`export PROD_TOKEN=${s}`)],
    ),
    late(
      (s) => [result(`hex ${Buffer.from(s).toString('hex')} or plain ${s}`)],
      (s) => [call('connect', { secret: s })],
    ),
    late(
      (s) => stderr(`> ${s}`),
      (s) => [http({ kind: 'sse', event: 'message', data: JSON.stringify({ token: s }) })],
    ),
    late(
      (s) => [result(`Here you go: ${s}`)],
      (s) => [call('run', { args: ['--token', s] })],
    ),
    late(
      (s) => [result(s)],
      (s) => [call('connect', { credentials: { user: 'ann', password: s } })],
    ),
    late(
      (s) => stderr(`created key ${s.slice(0, 3)}…\n${s}`),
      (s) => [result(JSON.stringify({ env: { ACME_TOKEN: s } }))],
    ),
    late(
      (s) => [result(`clipboard <- ${s}`)],
      (s) => [
        http({ kind: 'request', method: 'GET', url: `https://acme.io/?api_key=${encodeURIComponent(s)}`, headers: [] }),
      ],
    ),
    late(
      (s) => [call('remember', { text: s })],
      (s) => stderr(`Authorization: Bearer ${s}`),
    ),
    late(
      (s) => [call('ask', { prompt: `why does ${s} not work?` })],
      (s) => [result(`Your token: ${s}`)],
    ),
    late(
      (s) => [
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'notifications/message',
          params: { level: 'info', data: `issued ${s}` },
        }),
      ],
      (s) => [result(JSON.stringify({ secret: s }))],
    ),
    late(
      (s) => [JSON.stringify({ jsonrpc: '2.0', id: 3, result: { content: [{ type: 'text', text: `row 7: ${s}` }] } })],
      (s) => stderr(`PASSWORD=${s}`),
    ),
    late(
      (s) => stderr(`a\nb ${s}\nc`),
      (s) => stderr(`token: ${s}`),
    ),
    late(
      (s) => [result(JSON.stringify([1, s]))],
      (s) => [call('login', { passphrase: s })],
    ),
    late(
      (s) => [result(`base64: ${Buffer.from(s).toString('base64')} plain: ${s}`)],
      (s) => [call('login', { token: s })],
    ),
  ],
};
