// `vouch azure`: Microsoft Entra and a little of Azure alone, for people who test workload identity.
import { readFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { given } from '#base'
import type { Entra, EntraOptions, EntraProfile } from '#entra'
import { DataFile } from '../files/data-file.ts'
import { tellText } from '../frame/print.ts'
import { stopBySignal } from '../frame/stop-signal.ts'
import { authorityFile, readPort, untilStopped, whyNotServed } from './emulated-cloud.ts'

interface Flags {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly profile: EntraProfile
  readonly tenants?: readonly string[]
  readonly data?: string
  readonly seed?: string
  readonly issuerAuthority?: string
}

const defaultPort = 4568

export function addAzureCommand(program: Command): void {
  program
    .command('azure')
    .description(
      'Microsoft Entra and a little of Azure in one process: sign-in by federated tokens, identities, roles, vaults, blobs',
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 takes a free one', readPort, defaultPort)
    .option('--no-tls', 'serve http, which SDKs refuse and curl does not')
    .addOption(
      new Option('--profile <name>', 'how late a federated credential is believed').choices(['instant', 'real']).default('real'),
    )
    .option('--tenants <ids...>', 'ids of tenants, the first has the subscription', readTenant)
    .option('--data <file>', 'keep the state in this file; without it everything is gone at the end')
    .option('--seed <text>', 'same seed, same ids and keys')
    .option('--issuer-authority <file>', 'PEM of the authority that signed the certificates of your clusters’ issuers')
    .action((flags: Flags, command: Command) => run(flags, command))
}

async function run(flags: Flags, command: Command): Promise<void> {
  const { createEntra } = await import('#entra')
  const refuse = (error: unknown): never => command.error(`error: ${whyNotServed(error, 'vouch azure')}`)
  const file = flags.data === undefined ? undefined : new DataFile(flags.data)
  const data = await file?.read().catch(refuse)
  const { issuerAuthority } = flags
  const authorities = issuerAuthority === undefined ? undefined : await readFile(issuerAuthority, 'utf8').catch(refuse)
  const entra = made(() => createEntra({ ...optionsOf(flags, data), ...given({ issuerAuthorities: authorities }) }), refuse)
  // A place that cannot be written is told now, and not when there is something to lose.
  await file?.save(entra.snapshot()).catch(refuse)
  const { signal } = stopBySignal()
  const { host, port, tls } = flags
  const listener = await entra.listen({ host, port, tls }).catch(refuse)
  const authority = tls ? await authorityFile(entra.ca, 'azure') : undefined
  const origin = `${tls ? 'https' : 'http'}://${listener.host}:${listener.port}`
  tellText(invitation(entra, origin, authority?.path))
  await untilStopped(() => entra.snapshot(), file, signal)
  await authority?.remove()
  await entra.close()
}

function optionsOf({ profile, tenants, seed }: Flags, data: string | undefined): EntraOptions {
  return {
    profile,
    allowExternalIssuers: true,
    ...given({ tenants, seed, data }),
  }
}

function made(make: () => Entra, refuse: (error: unknown) => never): Entra {
  try {
    return make()
  } catch (error) {
    if (error instanceof TypeError) return refuse(error)
    throw error
  }
}

/** What a program needs to sign in as the administrator, and to trust what answers. */
function invitation({ administrator }: Entra, origin: string, authority: string | undefined): string {
  const { tenant, subscription, clientId, clientSecret } = administrator
  const environment = {
    AZURE_AUTHORITY_HOST: origin,
    AZURE_TENANT_ID: tenant,
    AZURE_SUBSCRIPTION_ID: subscription,
    AZURE_CLIENT_ID: clientId,
    AZURE_CLIENT_SECRET: clientSecret,
    ...(authority === undefined
      ? {}
      : { NODE_EXTRA_CA_CERTS: authority, SSL_CERT_FILE: authority, REQUESTS_CA_BUNDLE: authority }),
  }
  const exports = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  return `Azure at ${origin} (Ctrl-C stops it); its administrator's programs use it with:\nexport ${exports.join(' ')}`
}

function readTenant(text: string, before: readonly string[] = []): readonly string[] {
  if (!/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text))
    throw new InvalidArgumentError('a tenant is told by its id, a GUID')
  return [...before, text]
}
