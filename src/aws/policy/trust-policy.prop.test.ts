// Accepted = listed (reliability S11, X2). The evaluator below is written from AWS's description of the policy language and shares
// nothing with the builders: it takes their text and a token's claims, and says whether the role would be handed out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseAccountId } from '../names/account.ts'
import { parseIssuerUrl, renderProviderArn } from '../names/arn.ts'
import { asAudience } from '../names/audience.ts'
import { NameError } from '../names/name-error.ts'
import { renderPolicy } from './render-policy.ts'
import { renderSubject, type ServiceAccountName, TrustError, webIdentityTrust } from './trust-policy.ts'

interface Claims {
  readonly iss: string
  readonly aud: string
  readonly sub: string
}

/** Does the trust policy let this token, verified under this provider, assume the role? */
function lets(policy: string, provider: string, claims: Claims): boolean {
  const document = JSON.parse(policy) as { Version: string; Statement: Record<string, unknown>[] }
  const location = claims.iss.replace('https://', '')
  const context = new Map([
    [`${location}:aud`.toLowerCase(), claims.aud],
    [`${location}:sub`.toLowerCase(), claims.sub],
  ])
  return document.Statement.some(statement => {
    const principal = statement['Principal'] as { Federated?: string | string[] }
    if (![principal.Federated ?? []].flat().includes(provider)) return false
    if (![statement['Action']].flat().includes('sts:AssumeRoleWithWebIdentity') || statement['Effect'] !== 'Allow') return false
    return Object.entries((statement['Condition'] ?? {}) as Record<string, Record<string, string | string[]>>).every(
      ([operator, keys]) =>
        Object.entries(keys).every(([key, values]) => {
          const actual = context.get(key.toLowerCase())
          return actual !== undefined && [values].flat().some(value => holds(operator, value, actual))
        }),
    )
  })
}

function holds(operator: string, wanted: string, actual: string): boolean {
  // A variable in the value would be replaced from the context: whatever came out, it would not be the exact statement we want.
  if (/\$\{/.test(wanted)) return true
  if (operator === 'StringEquals') return wanted === actual
  if (operator === 'StringLike') {
    const pattern = wanted
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')
    return new RegExp(`^${pattern}$`, 's').test(actual)
  }
  throw new Error(`the builders never write ${operator}`)
}

const label = fc.oneof(
  fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/),
  // Names that would break out of an inexact statement.
  fc.constantFrom('*', 'a*', 'a:b', 'A', 'a?', `$\{aws:x}`, 'a\u0430', '', 'team', 'app', 'team-a', 'x'.repeat(64)),
)
const subject = fc.record({ namespace: label, name: label }, { noNullPrototype: true })
const issuers = [
  'https://b.s3.eu-west-1.amazonaws.com',
  'https://b.s3.eu-west-1.amazonaws.com.evil.example',
  'https://oidc.example/id/A',
  'https://oidc.example/id/a',
]

test('a web identity trust lets in exactly the listed subjects, of the one issuer, with the one audience', () => {
  let built = 0
  let admitted = 0
  fc.assert(
    fc.property(
      fc.array(subject, { minLength: 1, maxLength: 4 }),
      fc.array(subject, { maxLength: 6 }),
      fc.constantFrom(...issuers),
      fc.constantFrom('sts.amazonaws.com', 'vouch', '*'),
      (listed, others, issuerUrl, named) => {
        const issuer = parseIssuerUrl(issuerUrl)
        const provider = renderProviderArn({ partition: 'aws', account: parseAccountId('123456789012'), issuer })
        let policy: string
        try {
          policy = renderPolicy(webIdentityTrust({ provider, issuer, audience: asAudience(named), subjects: listed }))
        } catch (error) {
          assert.ok(error instanceof TrustError || (error instanceof NameError && named === '*'), String(error))
          return
        }
        built += 1
        const wanted = new Set(listed.map(renderSubject))
        for (const claimed of [...listed, ...others]) {
          for (const iss of issuers) {
            for (const aud of ['sts.amazonaws.com', 'vouch', 'other']) {
              const claims = { iss, aud, sub: rawSubject(claimed) }
              const listedExactly = wanted.has(claims.sub) && iss === issuerUrl && aud === named
              const theirs = renderProviderArn({
                partition: 'aws',
                account: parseAccountId('123456789012'),
                issuer: parseIssuerUrl(iss),
              })
              assert.equal(lets(policy, theirs, claims), listedExactly, `${JSON.stringify(claims)} under ${policy}`)
              if (listedExactly) admitted += 1
            }
          }
        }
      },
    ),
    { numRuns: 400 },
  )
  assert.ok(built > 20 && admitted > 20, `the property must not hold emptily: ${built} policies, ${admitted} admissions`)
})

/** A token may claim anything. */
function rawSubject({ namespace, name }: ServiceAccountName): string {
  return `system:serviceaccount:${namespace}:${name}`
}
