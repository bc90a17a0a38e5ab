/** Made by scripts/build-viewer.mjs: the text of each Worker's script. */
declare const WORKERS: Readonly<Record<'problems' | 'regex' | 'schema' | 'recordings', string>>;
export default WORKERS;
