// How late what Route 53 wrote is seen.
import { type Delay, seconds } from '../delays.ts'

export const route53Delays: Readonly<Record<'dnsChange', Delay>> = {
  /** Changes as GetChange, DNS and ACM see them. */
  dnsChange: { name: 'dnsChange', demo: seconds(2), async: seconds(30, 60) },
}
