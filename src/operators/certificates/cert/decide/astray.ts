// The DNS leads past a zone: what stands there is seen by nobody.
import { astrayMessage } from '../../zones/dns-looks.ts'
import type { Sighted } from '../seen.ts'

/** What to say of the first such zone. */
export function astrayIn({ records }: Pick<Sighted, 'records'>): string | undefined {
  const found = records.find(({ astray }) => astray !== undefined)
  return found?.astray === undefined ? undefined : astrayMessage(found.astray, found.zone)
}
