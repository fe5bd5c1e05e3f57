// The create intent as it stands in an annotation: a token and the time at which the call went out.
import { renderTime } from '#kube'

export interface Intent {
  readonly token: string
  readonly atMs: number
}

export function parseIntent(text: string | undefined): Intent | undefined {
  const [token = '', at = ''] = (text ?? '').split(' ')
  const atMs = Date.parse(at)
  return token === '' ? undefined : { token, atMs: Number.isNaN(atMs) ? 0 : atMs }
}

export function renderIntent({ token, atMs }: Intent): string {
  return `${token} ${renderTime(atMs)}`
}
