/** Keeps what would have been sent and answers with nothing. */
import { Http, type HttpRequest } from "@/provider/http.ts";

export class RecordingHttp extends Http {
  readonly sent: HttpRequest[] = [];

  constructor() {
    super({ env: {}, offline: true });
  }

  override send(request: HttpRequest): Promise<Response> {
    this.sent.push(request);
    return Promise.resolve(new Response("{}", { status: 400 }));
  }

  /** The body of the newest request for a reply. */
  get body(): unknown {
    const last = this.sent.findLast(({ url, body }) =>
      body !== undefined && !url.endsWith("/api/show")
    );
    return last?.body === undefined ? undefined : JSON.parse(last.body);
  }
}
