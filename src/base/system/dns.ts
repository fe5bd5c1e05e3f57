import type { Dns, DnsAnswer, DnsLookup } from '../seams/dns.ts'

/** Node's own resolver. Its module is loaded with the first question. */
export const systemDns: Dns = { ask }

async function ask({ name, type, servers, timeoutMs }: DnsLookup): Promise<DnsAnswer> {
  const { Resolver } = await import('node:dns/promises')
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 })
  try {
    if (servers.length > 0) resolver.setServers(servers)
    return { kind: 'values', values: type === 'NS' ? await resolver.resolveNs(name) : await resolver.resolveCname(name) }
  } catch (error) {
    return meaningOf(error instanceof Error && 'code' in error ? error.code : undefined)
  }
}

function meaningOf(code: unknown): DnsAnswer {
  if (code === 'ENODATA' || code === 'ENOTFOUND') return { kind: 'none' }
  return { kind: code === 'ESERVFAIL' ? 'failed' : 'silent' }
}
