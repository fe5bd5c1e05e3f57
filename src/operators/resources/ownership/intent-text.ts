// The create intent as it stands in an annotation: a token, the time at which it was written, and, where nothing else marks what it
// makes, prints of what was asked for.
import { renderTime } from '#kube'

export interface Intent {
  readonly token: string
  readonly atMs: number
  /** Of each wish that a call went out with under this token, the newest last. */
  readonly prints: readonly string[]
}

export function parseIntent(text: string | undefined): Intent | undefined {
  const [token = '', at = '', prints = ''] = (text ?? '').split(' ')
  const atMs = Date.parse(at)
  return token === ''
    ? undefined
    : { token, atMs: Number.isNaN(atMs) ? 0 : atMs, prints: prints.split(',').filter(each => each !== '') }
}

export function renderIntent({ token, atMs, prints }: Intent): string {
  return [token, renderTime(atMs), ...(prints.length === 0 ? [] : [prints.join(',')])].join(' ')
}
