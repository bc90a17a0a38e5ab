import type { AttackRow } from './attack-row';
import type { Headers } from './good-requests';

const FORM_TYPES = ['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'];

const forms = FORM_TYPES.flatMap((type): AttackRow[] => [
  {
    attack: 14,
    name: `form of another site, ${type}`,
    base: 'launch',
    status: 403,
    rules: ['origin', 'content-type'],
    headers: () => ({ origin: ['http://evil.example'], 'content-type': [type] }),
  },
  {
    attack: 14,
    name: `form without Origin, ${type}`,
    base: 'launch',
    status: 415,
    rules: ['content-type'],
    headers: () => ({ origin: [], 'content-type': [type] }),
  },
]);

const preflight: Headers = {
  'access-control-request-method': ['POST'],
  'access-control-request-private-network': ['true'],
};

/** Attacks 14, 15 and 17: what is asked, and how. */
export const METHOD_ROWS: readonly AttackRow[] = [
  ...forms,
  {
    attack: 14,
    name: 'beacon without a type',
    base: 'launch',
    status: 415,
    rules: ['content-type'],
    headers: () => ({ origin: [], 'content-type': [] }),
  },
  {
    attack: 14,
    name: 'form with two types',
    base: 'launch',
    status: 415,
    rules: ['content-type'],
    headers: () => ({ origin: [], 'content-type': ['application/json', 'text/plain'] }),
  },
  {
    attack: 14,
    name: 'type that only holds the right one',
    base: 'launch',
    status: 415,
    rules: ['content-type'],
    headers: () => ({ origin: [], 'content-type': ['text/plain; application/json'] }),
  },
  {
    attack: 15,
    name: 'preflight of another site',
    base: 'api',
    method: 'OPTIONS',
    status: 403,
    rules: ['origin', 'method'],
    headers: () => ({ ...preflight, origin: ['http://evil.example'] }),
  },
  ...(['api', 'page', 'launch'] as const).map(
    (base): AttackRow => ({
      attack: 15,
      name: `preflight without Origin for ${base}`,
      base,
      method: 'OPTIONS',
      status: 403,
      rules: ['method'],
      headers: () => ({ ...preflight, origin: [] }),
    }),
  ),
  {
    attack: 17,
    name: 'unknown path of the API',
    base: 'api',
    status: 404,
    rules: ['path'],
    target: () => '/api/nothing',
  },
  { attack: 17, name: 'the API itself', base: 'api', status: 404, rules: ['path'], target: () => '/api' },
  { attack: 17, name: 'DELETE on the API', base: 'api', method: 'DELETE', status: 405, rules: ['method'] },
  {
    attack: 17,
    name: 'POST on the API',
    base: 'api',
    method: 'POST',
    status: 405,
    rules: ['method'],
    headers: () => ({ 'content-type': ['application/json'] }),
  },
  { attack: 17, name: 'GET on /launch', base: 'launch', method: 'GET', status: 405, rules: ['method'] },
  {
    attack: 17,
    name: 'socket path without upgrade',
    base: 'api',
    status: 405,
    rules: ['method'],
    also: 'front door',
    target: () => '/ws',
  },
  {
    attack: 17,
    name: 'upgrade of a path that is none',
    base: 'socket',
    status: 405,
    rules: ['method'],
    also: 'front door',
    target: () => '/',
  },
  {
    attack: 17,
    name: 'upgrade of an API path',
    base: 'socket',
    status: 405,
    rules: ['method'],
    also: 'front door',
    target: () => '/api/connections',
  },
];
