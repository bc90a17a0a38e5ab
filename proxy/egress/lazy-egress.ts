import type { HttpLink, HttpRequest, HttpResponse } from '@/lib/transports/http-link';
import type { Egress, EgressOptions } from './egress';

/** Loads the egress and Node's HTTP client at the first request, because stdio servers need neither. */
export class LazyEgress implements HttpLink {
  readonly #options: EgressOptions;
  #egress: Promise<Egress> | undefined;

  constructor(options: EgressOptions) {
    this.#options = options;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    this.#egress ??= import('./egress').then(({ Egress }) => new Egress(this.#options));
    return (await this.#egress).send(request);
  }

  close(): void {
    void this.#egress?.then((egress) => egress.close());
  }
}
