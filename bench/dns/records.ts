// From a Service to its record, with ExternalDNS itself: how much of it is ours, and how much is that program's own start and loop.
import { performance } from 'node:perf_hooks'
import { deployments } from '#kube'
import { crossAccountTrust, permissionPolicy } from '#operators/dns'
import { clusterAccount, roleArn } from '../../test/real/dns-operand/accounts.ts'
import { embeddedCluster } from '../../test/real/dns-operand/cluster.ts'
import { crossAccount } from '../../test/real/dns-operand/specs.ts'
import { type OperandWorld, openOperandWorld, operandNamespace } from '../../test/real/dns-operand/world.ts'
import { comesAbout } from '../../test/real/eventually.ts'
import { ownAddress } from '../../test/real/own-address.ts'
import { externalDnsProgram, oldestOperand } from '../../test/real/programs/external-dns.ts'
import { ms } from '../identity/print.ts'

export async function measureRecords(): Promise<void> {
  const version = oldestOperand
  const program = externalDnsProgram(version)
  if ('skipped' in program || ownAddress === undefined) {
    console.log(
      `\nfrom a Service to its record: not measured: ${'skipped' in program ? program.skipped : 'no address but loopback'}`,
    )
    return
  }
  await using world = await openOperandWorld({ program: program.path, version, openCluster: embeddedCluster })
  const user = `arn:aws:iam::${clusterAccount}:user/dns`
  await world.secret('dns-keys', await world.accounts.userKeys('dns', [roleArn('dns')]))
  await world.accounts.role({ name: 'dns', trust: crossAccountTrust(user), rights: permissionPolicy() })
  await world.loadBalancer('web', '192.0.2.7', { labels: { dns: 'public' } })
  const began = performance.now()
  await world.create('blue', crossAccount({ arn: roleArn('dns') }, world.accounts.zone))
  const deployedMs = (await whenDeployed(world)) - began
  await world.comesToHold('blue', [
    'A web.example.com.',
    'TXT external-dns-web.example.com.',
    'TXT external-dns-a-web.example.com.',
  ])
  const recordMs = performance.now() - began
  console.log(
    `\nfrom an object and a Service to its record, with ExternalDNS ${version}: ${ms(recordMs)}, of which ${ms(deployedMs)} until its Deployment is there; the rest is that program's start and first look`,
  )
}

async function whenDeployed({ cluster: { admin } }: OperandWorld): Promise<number> {
  const key = { namespace: operandNamespace, name: 'external-dns-blue' }
  await comesAbout(
    async () => (await admin.find(deployments, key)) !== undefined,
    () => 'no Deployment',
  )
  return performance.now()
}
