import { printed, type Said, stderr, structured } from './carriers';
import type { Draft } from './planted';
import type { Random } from './random';
import { type Casing, secretName } from './values';

type Make = (random: Random) => string;

export const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A printed text around a secret. */
export const text =
  (make: Make, write: (secret: string, random: Random) => string) =>
  (random: Random): Draft => {
    const secret = make(random);
    return { said: printed(write(secret, random), random), secrets: [secret] };
  };

/** A JSON value around a secret. */
export const json =
  (make: Make, write: (secret: string, random: Random) => unknown) =>
  (random: Random): Draft => {
    const secret = make(random);
    return { said: structured(write(secret, random), random), secrets: [secret] };
  };

/** A name in one of these casings, and a value that fits it, in a text or a JSON value. */
export const named =
  (casings: readonly Casing[], write: (name: string, secret: string, random: Random) => string | object) =>
  (random: Random): Draft => {
    const { name, make } = secretName(random, ...casings);
    const secret = make(random);
    const written = write(name, secret, random);
    const said = typeof written === 'string' ? printed(written, random) : structured(written, random);
    return { said, secrets: [secret] };
  };

/** Lines that a server prints. */
export const onStderr =
  (make: Make, write: (secret: string, random: Random) => string) =>
  (random: Random): Draft => {
    const secret = make(random);
    return { said: stderr(write(secret, random)), secrets: [secret] };
  };

/** A named value in lines that a server prints, or anywhere. */
export const field =
  (
    casings: readonly Casing[],
    write: (name: string, secret: string, random: Random) => string,
    where: 'any' | 'stderr' = 'stderr',
  ) =>
  (random: Random): Draft => {
    const { name, make } = secretName(random, ...casings);
    const secret = make(random);
    const written = write(name, secret, random);
    return { said: where === 'stderr' ? stderr(written) : printed(written, random), secrets: [secret] };
  };

/** An error with this message, in one of the forms that servers use. */
export const failed =
  (make: Make, write: (secret: string, random: Random) => string) =>
  (random: Random): Draft => {
    const secret = make(random);
    const message = write(secret, random);
    const rpc = (rest: object) => JSON.stringify({ jsonrpc: '2.0', id: 4, ...rest });
    const forms: readonly (() => Said[])[] = [
      () => [rpc({ error: { code: -32603, message } })],
      () => [rpc({ error: { code: -32603, message: 'Internal error', data: { cause: message } } })],
      () => [rpc({ error: { code: -32000, message: 'Tool failed', data: message } })],
      () => [rpc({ result: { isError: true, content: [{ type: 'text', text: `Error: ${message}` }] } })],
      () => [rpc({ result: { isError: true, content: [{ type: 'text', text: JSON.stringify({ error: message }) }] } })],
      () => stderr(`ERROR ${message}`),
      () =>
        stderr(
          message
            .split('\n')
            .map((line) => `[error] ${line}`)
            .join('\n'),
        ),
    ];
    return { said: random.pick(forms)(), secrets: [secret] };
  };
