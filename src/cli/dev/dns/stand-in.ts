// A stand-in for ExternalDNS, for the story on machines without Go: it reads the Services that its arguments mean, and writes an A record and
// the TXT record of its owner for each into its zone, as the role that it is told to assume. No other source, no other record.
import type { Command } from 'commander'
import type { AwsClient } from '#aws/client'
import type { Seams } from '#base'
import type { StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'
import { tell } from '../../frame/print.ts'

export function addDnsStandInCommand(program: Command): void {
  program
    .command('external-dns-stand-in', { hidden: true })
    .description('what the operands of the story run in `vouch dev` where ExternalDNS has not been built')
    .argument('[words...]')
    .allowUnknownOption()
    .action((words: readonly string[]) => run(words))
}

/** ExternalDNS looks once a minute; nobody who watches a story wants to wait for that. */
const lookMs = 1_000

interface Told {
  readonly kubeconfig: string
  readonly labelFilter: string
  readonly template: string
  readonly zone: string
  readonly owner: string
  readonly prefix: string
  readonly role: string
  readonly externalId: string
}

async function run(words: readonly string[]): Promise<void> {
  const { systemSeams } = await import('#base')
  const { connect } = await import('#kube/client')
  const seams = systemSeams(process.env)
  const flag = (name: string): string => words.find(word => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? ''
  const told: Told = {
    kubeconfig: flag('kubeconfig'),
    labelFilter: flag('label-filter'),
    template: flag('fqdn-template'),
    zone: flag('zone-id-filter'),
    owner: flag('txt-owner-id'),
    prefix: flag('txt-prefix'),
    role: flag('aws-assume-role'),
    externalId: flag('aws-assume-role-external-id'),
  }
  const { client } = await connect(seams, { kubeconfig: [told.kubeconfig] })
  const route53 = await openRoute53(seams, told)
  let held: ReadonlyMap<string, string> = new Map()
  for (;;) {
    held = await look(client, route53, told, held).catch((error: unknown) => {
      say('error', String(error))
      return held
    })
    await seams.clock.sleep(lookMs)
  }
}

type Service = StoredObject & {
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string }[] } }
}

/** Returns the records of the zone as they are now, by their names. */
async function look(
  client: KubeClient,
  route53: AwsClient,
  told: Told,
  held: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const { services } = await import('#kube')
  const { items } = await client.listAll<Service>(services, { labelSelector: told.labelFilter })
  const wanted = new Map<string, string>()
  for (const { metadata, status } of items) {
    const ip = status?.loadBalancer?.ingress?.[0]?.ip
    if (ip !== undefined) wanted.set(told.template.replaceAll('{{.Name}}', metadata.name), ip)
  }
  const gone = [...held].filter(([name]) => !wanted.has(name)).map(([name, ip]) => changes('DELETE', name, ip, told))
  const come = [...wanted].filter(([name, ip]) => held.get(name) !== ip).map(([name, ip]) => changes('UPSERT', name, ip, told))
  const Changes = [...gone, ...come].flat()
  if (Changes.length > 0) {
    await route53.call('ChangeResourceRecordSets', { HostedZoneId: told.zone, ChangeBatch: { Changes } })
    say('info', `${Changes.length} record(s) were successfully updated`)
  } else say('info', 'All records are already up to date')
  return wanted
}

function changes(Action: string, name: string, ip: string, { owner, prefix }: Told): readonly object[] {
  const text = `"heritage=external-dns,external-dns/owner=${owner}"`
  const change = (Name: string, Type: string, Value: string): object => ({
    Action,
    ResourceRecordSet: { Name, Type, TTL: 300, ResourceRecords: [{ Value }] },
  })
  return [change(name, 'A', ip), change(`${prefix}a-${name}`, 'TXT', text)]
}

/** Opens a client that uses the credentials file and the proxy of its pod, and no others. */
async function openRoute53(
  { clock, random, net, files, env }: Seams,
  { role: roleArn, externalId }: Pick<Told, 'role' | 'externalId'>,
): Promise<AwsClient> {
  const [{ serviceModel }, { assumedRole, createAwsClient, netTransport, profileCredentials }] = await Promise.all([
    import('#aws'),
    import('#aws/client'),
  ])
  const ca = new TextDecoder().decode(await files.read(`${env['SSL_CERT_DIR']}/tls-ca-bundle.pem`))
  const proxyUrl = env['HTTPS_PROXY'] ?? ''
  const transport = netTransport({ ...net, dial: options => net.dial({ ...options, proxyUrl, tls: { ca } }) })
  const common = { transport, clock, random, region: 'us-east-1' }
  const base = await profileCredentials('default', { env, files, ...common })
  if (base === undefined) throw new Error('the credentials file has no profile of that name')
  const credentials = assumedRole(
    base,
    { roleArn, sessionName: 'external-dns', ...(externalId === '' ? {} : { externalId }) },
    common,
  )
  return createAwsClient({ ...common, model: serviceModel('route53'), credentials })
}

function say(level: string, text: string): void {
  tell(`time="${new Date().toISOString()}" level=${level} msg=${JSON.stringify(text)}`)
}
