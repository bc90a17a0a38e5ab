// @ts-check
import { crc32, deflateSync } from 'node:zlib';
// Content blocks of results and prompts, and the pictures and sounds in them.
/** @typedef {import('./protocol.mjs').JsonObject} JsonObject */

/** @param {string} text @param {object} [annotations] @returns {JsonObject} */
export const text = (text, annotations) => ({ type: 'text', text, ...(annotations ? { annotations } : {}) });

/** @param {Buffer} bytes @param {string} [mimeType] @returns {JsonObject} */
export const image = (bytes, mimeType = 'image/png') => ({ type: 'image', data: bytes.toString('base64'), mimeType });

/** @param {Buffer} bytes @returns {JsonObject} */
export const audio = (bytes) => ({ type: 'audio', data: bytes.toString('base64'), mimeType: 'audio/wav' });

/** @param {{ uri: string, mimeType: string } & ({ text: string } | { blob: string })} resource @returns {JsonObject} */
export const embedded = (resource) => ({ type: 'resource', resource });

/** Returns a result with one text. @param {string} line @returns {{ content: JsonObject[] }} */
export const say = (line) => ({ content: [text(line)] });

/** Returns a structured result, and the same as text for older clients. @param {JsonObject} value */
export const structured = (value) => ({ content: [text(JSON.stringify(value, null, 2))], structuredContent: value });

/**
 * Draws the light at night as a PNG: sky, stars, sea, tower and beam.
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

/** Draws the icon, a tower on a dark background, as a PNG. */
export function towerIcon() {
  return png(32, 32, (x, y) => towerColour((x - 16) / 5, (y - 6) / 25, true) ?? [20, 34, 62]);
}

/** @param {string} mimeType @param {Buffer} bytes */
export const dataUri = (mimeType, bytes) => `data:${mimeType};base64,${bytes.toString('base64')}`;

/**
 * Returns the colour of a striped tower that widens downwards, or undefined beside it. `across` is -1…1 at its widest,
 * `down` is 0 at the lamp and 1 at the ground.
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

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * Encodes a PNG (8 bit, RGB) from a function that returns the colour of each pixel.
 *
 * @param {number} width
 * @param {number} height
 * @param {(x: number, y: number) => readonly [number, number, number]} colourAt Each 0…255.
 */
function png(width, height, colourAt) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  // Each row starts with its filter type: 0, none.
  const rows = Buffer.alloc(height * (1 + width * 3));
  let at = 0;
  for (let y = 0; y < height; y++) {
    rows[at++] = 0;
    for (let x = 0; x < width; x++) {
      for (const part of colourAt(x, y)) rows[at++] = Math.max(0, Math.min(255, Math.round(part)));
    }
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

const SAMPLES_A_SECOND = 8000;

/**
 * Returns a foghorn as a WAV file (8 kHz, 8 bit, mono): two low notes that swell and fade.
 *
 * @param {number} seconds
 */
export function hornWav(seconds) {
  const samples = Math.round(seconds * SAMPLES_A_SECOND);
  const wav = Buffer.alloc(44 + samples);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(36 + samples, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(SAMPLES_A_SECOND, 24);
  wav.writeUInt32LE(SAMPLES_A_SECOND, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(samples, 40);
  for (let i = 0; i < samples; i++) {
    const at = i / samples;
    const note = at < 0.6 ? 185 : 147;
    const phase = (2 * Math.PI * note * i) / SAMPLES_A_SECOND;
    const loudness = Math.min(1, at * 12, (1 - at) * 4);
    wav[44 + i] = Math.round(128 + 70 * loudness * (Math.sin(phase) + 0.4 * Math.sin(2 * phase)) * 0.7);
  }
  return wav;
}
