// @ts-check
import { png } from './png.mjs';

/**
 * The light at night: sky, stars, sea, tower and a beam.
 *
 * @param {{ width: number, height: number, lit: boolean, bearing: number }} view `bearing` of the beam in degrees.
 */
export function nightPicture({ width, height, lit, bearing }) {
  const horizon = height * 0.72;
  const lamp = { x: width * 0.3, y: height * 0.24 };
  const angle = (bearing * Math.PI) / 180;
  return png(width, height, (x, y) => {
    const tower = towerColour((x - lamp.x) / (width * 0.055), (y - lamp.y) / (horizon - lamp.y), lit);
    if (tower) return tower;
    const glow = lit ? beam(x - lamp.x, y - lamp.y, angle, width) : 0;
    if (y > horizon) {
      const wave = 6 * Math.sin(x / 5 + y) * Math.sin(y / 2);
      return [8 + wave + glow * 0.3, 26 + wave + glow * 0.3, 44 + wave + glow * 0.2];
    }
    const star = (Math.imul(x * 7919 + 13, y * 104_729 + 7) >>> 8) % 997 === 0 ? 150 : 0;
    const dusk = y / horizon;
    return [10 + 34 * dusk + glow + star, 14 + 30 * dusk + glow * 0.9 + star, 40 + 44 * dusk + glow * 0.5 + star];
  });
}

/** A small tower on a dark ground. */
export function towerIcon() {
  return png(32, 32, (x, y) => towerColour((x - 16) / 5, (y - 6) / 25, true) ?? [20, 34, 62]);
}

/** @param {string} mimeType @param {Buffer} bytes */
export const dataUri = (mimeType, bytes) => `data:${mimeType};base64,${bytes.toString('base64')}`;

/**
 * A striped tower that widens downwards; `across` is -1…1 at its widest, `down` 0 at the lamp and 1 at the ground.
 *
 * @param {number} across
 * @param {number} down
 * @param {boolean} lit
 * @returns {readonly [number, number, number] | undefined}
 */
function towerColour(across, down, lit) {
  if (down < -0.12 || down > 1 || Math.abs(across) > 0.55 + 0.45 * Math.max(0, down)) return undefined;
  if (down < -0.05) return [70, 30, 34];
  if (down < 0.07) return lit ? [255, 236, 160] : [60, 66, 74];
  const shade = 1 - 0.35 * Math.abs(across);
  return Math.floor(down * 6) % 2 === 0
    ? [225 * shade, 222 * shade, 212 * shade]
    : [186 * shade, 44 * shade, 40 * shade];
}

/**
 * @param {number} dx
 * @param {number} dy
 * @param {number} angle
 * @param {number} reach
 */
function beam(dx, dy, angle, reach) {
  const along = dx * Math.cos(angle) + dy * Math.sin(angle);
  if (along <= 0) return 0;
  const aside = Math.abs(dy * Math.cos(angle) - dx * Math.sin(angle));
  return Math.max(0, 1 - aside / (2 + along * 0.12)) * Math.max(0, 1 - along / reach) * 190;
}
