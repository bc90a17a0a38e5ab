// @ts-check

const SAMPLES_A_SECOND = 8000;

/**
 * A foghorn as a WAV file (8 kHz, 8 bit, mono): two low notes, swelling and dying away.
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
