// Whether a bucket policy is public in the sense of Block Public Access (§8.3): some Allow for everybody whose conditions do
// not pin one of a few keys to fixed values. Two single objects opened to the world are public.

interface Statement {
  readonly Effect?: unknown
  readonly Principal?: unknown
  readonly Condition?: Readonly<Record<string, unknown>>
}

export function isPublicPolicy(text: string): boolean {
  const document = JSON.parse(text) as { Statement?: Statement | readonly Statement[] }
  const statements = document.Statement === undefined ? [] : [document.Statement].flat()
  return statements.some(
    statement => statement.Effect === 'Allow' && isForEverybody(statement.Principal) && !isPinned(statement.Condition),
  )
}

function isForEverybody(principal: unknown): boolean {
  if (principal === '*') return true
  if (principal === null || typeof principal !== 'object') return false
  return Object.entries(principal).some(([kind, names]) => kind === 'AWS' && [names].flat().includes('*'))
}

const pinningKeys = new Set(
  [
    'aws:SourceArn',
    'aws:SourceVpc',
    'aws:SourceVpce',
    'aws:SourceAccount',
    'aws:SourceOwner',
    'aws:SourceOrgID',
    'aws:PrincipalOrgID',
    'aws:PrincipalArn',
    'aws:PrincipalAccount',
    'aws:userid',
    's3:DataAccessPointAccount',
    's3:DataAccessPointArn',
  ].map(key => key.toLowerCase()),
)
const positiveOperators = /^(?:ForAnyValue:)?(?:String(?:Equals|EqualsIgnoreCase|Like)|Arn(?:Equals|Like))$/i

function isPinned(condition: Statement['Condition']): boolean {
  for (const [operator, tests] of Object.entries(condition ?? {})) {
    if (tests === null || typeof tests !== 'object') continue
    for (const [key, given] of Object.entries(tests)) {
      const values = [given].flat().map(String)
      if (values.length === 0) continue
      if (/^IpAddress$/i.test(operator) && key.toLowerCase() === 'aws:sourceip' && values.every(isNarrow)) return true
      if (positiveOperators.test(operator) && pinningKeys.has(key.toLowerCase()) && values.every(isFixed)) return true
    }
  }
  return false
}

function isFixed(value: string): boolean {
  return !/[*?]/.test(value) && !value.includes('${')
}

/** Ranges wider than /8 (IPv4) or /32 (IPv6) are half the world. */
function isNarrow(range: string): boolean {
  const [address, bits] = range.split('/')
  const ipv6 = address?.includes(':') === true
  return bits === undefined || Number(bits) >= (ipv6 ? 32 : 8)
}
