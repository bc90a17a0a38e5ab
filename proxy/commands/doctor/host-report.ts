import { failsHost, type HostVerdict } from '@/features/host-judge';
import type { Log } from '@/lib/store/log';
import type { CommandOutput } from '@/proxy/cli/output';
import type { ConnectedServer } from '../headless/on-server';
import type { ForHosts } from '../shared/for-hosts';

/** The report for the hosts of `--for`. */
export class HostReport {
  /** True if nothing else is printed, so that it can be pasted into an issue. */
  readonly isAlone: boolean;
  readonly #log: Log;
  readonly #hosts: ForHosts;
  #verdicts: readonly HostVerdict[] | undefined;

  constructor(log: Log, hosts: ForHosts, isAlone: boolean) {
    this.#log = log;
    this.#hosts = hosts;
    this.isAlone = isAlone;
  }

  /** Asks the server what the hosts would ask, as far as that changes nothing. */
  async explore(server: ConnectedServer): Promise<void> {
    await this.#hosts.explore(server);
  }

  get json(): { readonly hosts: readonly HostVerdict[] } {
    return { hosts: this.#judged() };
  }

  print(out: CommandOutput): void {
    const report = this.#hosts.report(this.#log, this.#judged(), this.isAlone ? 'markdown' : 'text');
    out.printText(this.isAlone ? report : `\n${report}`);
  }

  /** True if a host gets no server, no tools, or not all of them. */
  get isFailing(): boolean {
    return this.#judged().some(({ obstacles }) => obstacles.some(failsHost));
  }

  #judged(): readonly HostVerdict[] {
    this.#verdicts ??= this.#hosts.judge(this.#log, this.#hosts.hosts, new Date());
    return this.#verdicts;
  }
}
