// The metrics and alerts of ExternalDNS objects under the tool of Prometheus itself: the exposition is linted, the rules are valid, and each of
// them fires when it has to and not before.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dump } from 'js-yaml'
import { dnsAlerts, renderDnsRules } from '#operators/dns'
import { promtoolProgram, runPromtool } from './programs/promtool.ts'

const program = promtoolProgram()
const promtool = 'path' in program ? program.path : ''
const rules = dump(renderDnsRules(), { lineWidth: -1 })

interface AlertCase {
  /** Series by their samples, one a minute. */
  readonly fires: Readonly<Record<string, string>>
  /** The last one at which it must be quiet, at the same time. */
  readonly quiet: Readonly<Record<string, string>>
  readonly after: string
  readonly labels?: Readonly<Record<string, string>>
  readonly summary: string
}

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
    const files = { 'rules.yaml': rules }
    const { code, text } = runPromtool(promtool, ['check', 'rules', '--lint=all', '--lint-fatal', 'rules.yaml'], { files })
    assert.equal(code, 0, text)
    assert.match(text, new RegExp(`SUCCESS: ${dnsAlerts.length} rules found`))
    assert.deepEqual(
      Object.keys(cases),
      dnsAlerts.map(({ alert }) => alert),
    )
  })

  for (const [alert, each] of Object.entries(cases))
    it(`${alert} fires when it has to, and is quiet where nothing is wrong`, () => {
      const { code, text } = tested(each.flatMap(one => [testOf(alert, one, 'fires'), testOf(alert, one, 'quiet')]))
      assert.equal(code, 0, text)
    })

  it('a test of a rule fails where the rule does not fire', () => {
    const [one] = cases['ExternalDNSOperandCrashing'] ?? []
    assert.ok(one !== undefined)
    assert.notEqual(tested([testOf('ExternalDNSOperandCrashing', { ...one, fires: one.quiet }, 'fires')]).code, 0)
  })
})

function tested(tests: readonly object[]): ReturnType<typeof runPromtool> {
  const page = { rule_files: ['rules.yaml'], evaluation_interval: '1m', tests }
  return runPromtool(promtool, ['test', 'rules', 'tests.yaml'], {
    files: { 'rules.yaml': rules, 'tests.yaml': dump(page, { lineWidth: -1 }) },
  })
}

function testOf(alert: string, one: AlertCase, which: 'fires' | 'quiet'): object {
  const { after, labels = {}, summary } = one
  const exp_annotations = { summary, runbook: 'docs/guides/dns-troubleshooting.md' }
  const fired = { exp_labels: { severity: 'warning', ...labels }, exp_annotations }
  return {
    interval: '1m',
    input_series: Object.entries(one[which]).map(([series, values]) => ({ series, values })),
    alert_rule_test: [{ eval_time: after, alertname: alert, exp_alerts: which === 'fires' ? [fired] : [] }],
  }
}
