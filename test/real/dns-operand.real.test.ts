// The real ExternalDNS with what we rendered for it, from a Service to the records in the zone of another account, and what is said when a right
// is missing.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { crossAccountTrust, permissionPolicy } from '#operators/dns'
import { clusterAccount, domain, roleArn } from './dns-operand/accounts.ts'
import { embeddedCluster, ownAddress, realCluster } from './dns-operand/cluster.ts'
import { type OperandWorld, openOperandWorld } from './dns-operand/world.ts'
import { externalDnsProgram, operandVersions } from './external-dns.ts'
import { controlPlaneSkipped } from './shared.ts'

const noControlPlane = await controlPlaneSkipped()
const noAddress = ownAddress === undefined ? 'this machine has no IPv4 address but loopback' : undefined

const user = `arn:aws:iam::${clusterAccount}:user/dns`

const worlds = [
  { where: 'the embedded API server', openCluster: embeddedCluster, version: operandVersions[0], skipped: undefined },
  { where: 'a real kube-apiserver', openCluster: realCluster, version: operandVersions[0], skipped: noControlPlane },
]

for (const { where, openCluster, version, skipped } of worlds) {
  const program = externalDnsProgram(version)
  const skip = ('skipped' in program ? program.skipped : skipped) ?? noAddress ?? false
  describe(`the real ExternalDNS ${version} on ${where}`, { skip }, () => {
    let world: OperandWorld
    before(async () => {
      world = await openOperandWorld({ program: 'path' in program ? program.path : '', version, openCluster })
      await world.secret('dns-keys', await world.accounts.userKeys('dns', [roleArn('dns')]))
      await world.accounts.role({ name: 'dns', trust: crossAccountTrust(user), rights: permissionPolicy() })
    })
    after(async () => {
      await world?.[Symbol.asyncDispose]()
    })

    it('a labelled Service becomes an A and a TXT record in the zone of the other account [20.7]', async () => {
      await world.loadBalancer('web', '192.0.2.7', { labels: { dns: 'public' } })
      await world.loadBalancer('inner', '192.0.2.8')
      await world.create('blue', crossAccount({ arn: roleArn('dns') }, world.accounts.zone))
      await world.comesToHold('blue', [
        `A web.${domain}.`,
        `TXT external-dns-web.${domain}.`,
        `TXT external-dns-a-web.${domain}.`,
      ])
      assert.deepEqual(await world.accounts.resolve(`web.${domain}`, 'A'), ['192.0.2.7'])
    })
  })
}

function crossAccount(assumeRole: object, zone: string): object {
  return {
    domains: [{ filterType: 'Include', matchType: 'Exact', name: domain }],
    provider: { type: 'AWS', aws: { credentials: { name: 'dns-keys' }, assumeRole, region: 'us-east-1' } },
    source: {
      type: 'Service',
      labelFilter: { matchLabels: { dns: 'public' } },
      fqdnTemplate: [`{{.Name}}.${domain}`],
    },
    zones: [zone],
  }
}
