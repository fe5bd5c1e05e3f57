// Route 53 as a service of the emulator. What is faithful and what is not: README.md.
import { type ServiceModel, serviceModel } from '#aws'
import type { TaggedResource } from '../ports.ts'
import type { Context, Service, ThrottleRow } from '../service.ts'
import { resolveDns } from './dns.ts'
import { healthCheckArn, zoneArn } from './ids.ts'
import { emptyRoute53, type Route53State } from './model.ts'
import { route53Operations } from './operations.ts'
import { route53Quotas } from './quotas.ts'
import { dnsWorld } from './records.ts'

export const route53: Service<Route53State> = {
  name: 'route53',
  get model(): ServiceModel {
    return serviceModel('route53')
  },
  address: { hosts: ['route53'], globalRegion: 'us-east-1', globalRegionOfChina: 'cn-northwest-1', path: /^\/2013-04-01\// },
  scope: 'account',
  initial: () => emptyRoute53,
  operations: route53Operations,
  timers: { insync },
  offers: at => ({
    dns: {
      resolve(name, type, options = {}) {
        const context = at()
        const { vpc } = options
        return resolveDns(dnsWorld(context), { name, type, at: context.now, ...(vpc !== undefined && { vpc }) })
      },
    },
  }),
  *resources({ store, partition }): Generator<TaggedResource> {
    const { tags } = store.get()
    for (const [key, held] of tags) {
      const [kind = '', id = ''] = key.split('/')
      if (Object.keys(held).length === 0) continue
      const arn = kind === 'healthcheck' ? healthCheckArn(partition, id) : zoneArn(partition, id)
      yield { arn, type: `route53:${kind}`, tags: held }
    }
  },
  quotas: { title: 'Amazon Route 53', quotas: route53Quotas },
  throttles: [
    {
      name: 'route53',
      operations: 'all',
      perSecond: 5,
      burst: 5,
      source: 'published',
      per: 'account',
      error: { code: 'Throttling', status: 400, message: 'Rate exceeded' },
    },
  ] satisfies readonly ThrottleRow[],
}

/** A change is in the DNS now: certificates may have waited for it. */
function insync(context: Context<Route53State>): void {
  context.ports.certificates?.recheck()
}
