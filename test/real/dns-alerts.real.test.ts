// The metrics and alerts of ExternalDNS objects under the tool of Prometheus itself: the exposition is linted, the rules are valid, and each of
// them fires when it has to and not before.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dnsAlerts, renderDnsRules } from '#operators/dns'
import { type AlertCase, type AlertSaid, alertTest, alertTests, rulesUnderTest } from './programs/alert-rules.ts'
import { promtoolProgram } from './programs/promtool.ts'

const program = promtoolProgram()
const rules = rulesUnderTest('path' in program ? program.path : '', renderDnsRules())
const saidOf = (alert: string): AlertSaid => ({ alert, severity: 'warning', runbook: 'docs/guides/dns-troubleshooting.md' })

const errors = (reason: string): string => `externaldns_operator_operand_errors_total{reason="${reason}"}`
const instances = (available: string): string => `externaldns_operator_instances{provider="AWS",available="${available}"}`
const updates = 'externaldns_operator_deployment_updates_total{pod="a"}'

const cases: Readonly<Record<string, readonly AlertCase[]>> = {
  ExternalDNSAuthenticationFailing: [
    {
      fires: { [errors('AccessDenied')]: '0+1x40' },
      quiet: { [errors('Throttled')]: '0+1x40', [errors('AccessDenied')]: '7x40' },
      after: '15m',
      summary: 'Credentials or roles of ExternalDNS objects are refused',
    },
    {
      fires: { 'externaldns_operator_preflight_total{check="RoleAssumable",result="failure"}': '0+1x60' },
      quiet: { 'externaldns_operator_preflight_total{check="RoleAssumable",result="success"}': '0+1x60' },
      after: '30m',
      summary: 'Credentials or roles of ExternalDNS objects are refused',
    },
  ],
  ExternalDNSOperandCrashing: [
    {
      fires: { [errors('Crash')]: '0+1x30' },
      quiet: { [errors('Crash')]: '3x30' },
      after: '8m',
      summary: 'An ExternalDNS ends again and again',
    },
  ],
  ExternalDNSNotSynced: [
    {
      fires: { [instances('False')]: '2x40', [instances('Unknown')]: '1x40', [instances('True')]: '9x40' },
      quiet: { [instances('False')]: '0x40', [instances('True')]: '9x40' },
      after: '16m',
      summary: '3 ExternalDNS objects are not Available',
    },
  ],
  ExternalDNSOperatorHotLoop: [
    {
      // 0.05 a second are three a minute.
      fires: { [updates]: '0+4x60' },
      quiet: { [updates]: '0+3x60' },
      after: '40m',
      labels: { pod: 'a' },
      summary: 'Deployments of ExternalDNS are changed again and again: somebody else changes them back',
    },
  ],
}

describe('alerts of ExternalDNS objects', {
  skip: 'skipped' in program ? `promtool did not look at them: ${program.skipped}` : false,
}, () => {
  it('the rules are valid, and every one of them has a test here', () => {
    const { code, text } = rules.check()
    assert.equal(code, 0, text)
    assert.match(text, new RegExp(`SUCCESS: ${dnsAlerts.length} rules found`))
    assert.deepEqual(
      Object.keys(cases),
      dnsAlerts.map(({ alert }) => alert),
    )
  })

  for (const [alert, each] of Object.entries(cases))
    it(`${alert} fires when it has to, and is quiet where nothing is wrong`, () => {
      const { code, text } = rules.test(each.flatMap(one => alertTests(saidOf(alert), one)))
      assert.equal(code, 0, text)
    })

  it('a test of a rule fails where the rule does not fire', () => {
    const [one] = cases['ExternalDNSOperandCrashing'] ?? []
    assert.ok(one !== undefined)
    const wrong = alertTest(saidOf('ExternalDNSOperandCrashing'), { ...one, fires: one.quiet }, 'fires')
    assert.notEqual(rules.test([wrong]).code, 0)
  })
})
