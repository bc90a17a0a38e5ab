import type { AttackRow } from './attack-row';
import { HOST_ROWS } from './host-rows';
import { METHOD_ROWS } from './method-rows';
import { ORIGIN_ROWS } from './origin-rows';
import { PUBLIC_ROWS } from './public-rows';
import { TARGET_ROWS } from './target-rows';
import { TOKEN_ROWS } from './token-rows';

/**
 * Requests that must be refused, as data: asked of the guard by guard.test.ts, and sent over a socket by
 * guard-on-the-wire.test.ts.
 */
export const ATTACK_ROWS: readonly AttackRow[] = [
  ...ORIGIN_ROWS,
  ...HOST_ROWS,
  ...TARGET_ROWS,
  ...TOKEN_ROWS,
  ...METHOD_ROWS,
  ...PUBLIC_ROWS,
];
