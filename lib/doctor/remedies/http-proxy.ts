import type { Remedy } from '../finding';

/** Returns a remedy for a failure whose own sentences, from the egress, already say it best. */
function asReported(code: string): Remedy {
  return {
    code,
    step: 'proxy',
    find: ({ failure }) => (failure.code === code ? { what: failure.message, advice: failure.advice } : undefined),
  };
}

/** Failures of the HTTP proxy that the environment names, before anything reached a server. */
export const HTTP_PROXY: readonly Remedy[] = [
  asReported('proxy-invalid'),
  asReported('proxy-unreachable'),
  asReported('proxy-untrusted'),
  asReported('proxy-credentials'),
  asReported('proxy-refused'),
  asReported('proxy-cannot-connect'),
];
