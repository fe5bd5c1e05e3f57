import type { HttpRequest, HttpResponse } from '../../seams/http.ts'

/** One protocol's way to an origin. */
export interface Wire {
  send(request: HttpRequest): Promise<HttpResponse>
  /** False when all its connections are gone: the next call negotiates anew, since the server may be another one by now. */
  readonly alive: boolean
  close(): Promise<void>
}
