// The proxy that the environment asks for, when the kubeconfig names none.

/** The value of HTTPS_PROXY (or HTTP_PROXY for http://) unless NO_PROXY or the loopback exempts the host. */
export function proxyFromEnv(env: Readonly<Record<string, string | undefined>>, server: string): string | undefined {
  const { protocol, hostname, port } = new URL(server)
  const host = hostname.replace(/^\[|\]$/g, '')
  const proxy = protocol === 'https:' ? (env.HTTPS_PROXY ?? env.https_proxy) : (env.HTTP_PROXY ?? env.http_proxy)
  if (proxy === undefined || proxy === '') return undefined
  if (host === 'localhost' || host === '::1' || host.startsWith('127.')) return undefined
  const exempt = (env.NO_PROXY ?? env.no_proxy ?? '').split(',').map(one => one.trim().toLowerCase())
  if (exempt.some(one => one !== '' && matches(one, host.toLowerCase(), port))) return undefined
  return proxy.includes('://') ? proxy : `http://${proxy}`
}

function matches(rule: string, host: string, port: string): boolean {
  if (rule === '*') return true
  const [name = '', rulePort] = rule.includes(':') && !rule.includes('::') ? rule.split(':') : [rule]
  if (rulePort !== undefined && rulePort !== port) return false
  if (name.includes('/')) return inRange(host, name)
  const suffix = name.replace(/^\*?\.?/, '')
  return host === suffix || host.endsWith(`.${suffix}`)
}

function inRange(host: string, range: string): boolean {
  const [base = '', bits = ''] = range.split('/')
  const [address, start] = [v4(host), v4(base)]
  if (address === undefined || start === undefined || !/^\d{1,2}$/.test(bits) || Number(bits) > 32) return false
  const size = 2 ** (32 - Number(bits))
  return Math.floor(address / size) === Math.floor(start / size)
}

function v4(text: string): number | undefined {
  const parts = text.split('.').map(Number)
  if (parts.length !== 4 || !parts.every(part => part >= 0 && part <= 255)) return undefined
  return parts.reduce((sum, part) => sum * 256 + part, 0)
}
