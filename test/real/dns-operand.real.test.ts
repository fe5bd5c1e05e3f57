// The real ExternalDNS with what we rendered for it, from a Service to the records in the zone of another account, and what is said when a right
// is missing.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { crossAccountTrust, permissionPolicy } from '#operators/dns'
import { clusterAccount, domain, roleArn } from './dns-operand/accounts.ts'
import { embeddedCluster, realCluster } from './dns-operand/cluster.ts'
import { crossAccount } from './dns-operand/specs.ts'
import { appNamespace, type OperandWorld, openOperandWorld } from './dns-operand/world.ts'
import { ownAddress } from './own-address.ts'
import { externalDnsProgram, newestOperand, oldestOperand } from './programs/external-dns.ts'
import { controlPlaneSkipped } from './shared.ts'

const noControlPlane = await controlPlaneSkipped()
const noAddress = ownAddress === undefined ? 'this machine has no IPv4 address but loopback' : undefined

const user = `arn:aws:iam::${clusterAccount}:user/dns`

const worlds = [
  { where: 'the embedded API server', openCluster: embeddedCluster, version: newestOperand(), skipped: undefined },
  { where: 'a real kube-apiserver', openCluster: realCluster, version: oldestOperand, skipped: noControlPlane },
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

    // Since 0.18 the record of the owner names the type; before, it stood there twice.
    const former = version === oldestOperand ? [`TXT external-dns-web.${domain}.`] : []
    const web = [`A web.${domain}.`, `TXT external-dns-a-web.${domain}.`, ...former]

    it('a labelled Service becomes an A and a TXT record in the zone of the other account [20.7]', async () => {
      await world.loadBalancer('web', '192.0.2.7', { labels: { dns: 'public' } })
      await world.loadBalancer('inner', '192.0.2.8')
      await world.create('blue', crossAccount({ arn: roleArn('dns') }, world.accounts.zone))
      await world.comesToHold('blue', web)
      assert.deepEqual(await world.accounts.resolve(`web.${domain}`, 'A'), ['192.0.2.7'])
      const [owner] = await world.accounts.resolve(`external-dns-a-web.${domain}`, 'TXT')
      assert.equal(
        owner,
        `heritage=external-dns,external-dns/owner=external-dns-blue,external-dns/resource=service/${appNamespace}/web`,
      )
      await world.comesToSay('blue', 'RecordsSynced', 'True/UpToDate')
      await world.comesToSay('blue', 'Available', 'True/Available')
    })

    it('the process got the arguments, variables and files of the Deployment, in a root of its own where that is possible', async () => {
      const [container, started] = await world.startedWith('blue')
      assert.deepEqual(started?.arguments, container?.args)
      for (const { name, value } of container?.env ?? []) assert.equal(started?.environment[name], value, name)
      const given = (container?.env ?? []).map(({ name }) => name)
      const ofKubelet = ['KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT']
      assert.deepEqual(Object.keys(started?.environment ?? {}).sort(), [...given, ...ofKubelet].sort())
      assert.deepEqual([...world.accounts.gateway.refused], [])
    })

    it('a Service that goes takes its records along, and no others', async () => {
      await world.accounts.foreignRecord(`mail.${domain}`, '198.51.100.1')
      await world.withoutService('web')
      await world.lookAgain('blue')
      await world.comesToHold('blue', [`A mail.${domain}.`])
    })

    it('a right that is withdrawn is named in the conditions, and all is well once it is given back [13.3, 20.7]', async () => {
      await world.accounts.role({ name: 'dns', trust: crossAccountTrust(user), rights: withoutAction('route53:ListHostedZones') })
      await world.lookAgain('blue')
      const message = 'assumed role is not allowed to perform route53:ListHostedZones'
      assert.equal((await world.comesToSay('blue', 'RecordsSynced', 'False/AccessDenied')).message, message)
      assert.equal((await world.comesToSay('blue', 'ZonesAccessible', 'False/AccessDenied')).message, message)
      assert.equal((await world.comesToSay('blue', 'Available', 'False/ZoneAccessDenied')).message, message)
      await world.accounts.role({ name: 'dns', trust: crossAccountTrust(user), rights: permissionPolicy() })
      await world.lookAgain('blue')
      for (const [type, words] of [
        ['RecordsSynced', 'True/UpToDate'],
        ['ZonesAccessible', 'True/Readable'],
        ['Available', 'True/Available'],
      ] as const)
        await world.comesToSay('blue', type, words)
    })
  })
}

function withoutAction(action: string): object {
  return JSON.parse(JSON.stringify(permissionPolicy()).replace(`"${action}",`, '')) as object
}
