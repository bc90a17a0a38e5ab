/**
 * Returns the milliseconds of CPU time that this process has used. Bounds of linear time count them, because the clock
 * also counts what other processes of a busy machine use.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
