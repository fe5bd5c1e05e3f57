// The metrics and alerts of certificates under the tool of Prometheus itself: the exposition is linted, the rules are valid, and each of
// them fires when it has to and not before.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dump } from 'js-yaml'
import { ManualClock } from '#base'
import { alertRules, createTelemetry, panels, renderRuleGroups, runbookPage } from '#operators/certificates'
import { Metrics } from '#runtime'
import { type AlertCase, type AlertSaid, alertTests, rulesUnderTest } from './programs/alert-rules.ts'
import { promtoolProgram, runPromtool } from './programs/promtool.ts'

const program = promtoolProgram()
const promtool = 'path' in program ? program.path : ''
const rules = rulesUnderTest(promtool, renderRuleGroups())

const days = 'cert_operator_certificate_expiry_days{namespace="team",name="api"}'
const api = { namespace: 'team', name: 'api' }
const passes = (success: string): string => `cert_operator_reconcile_duration_seconds_count{state="Ready",success="${success}"}`
const state = (name: string): string => `cert_operator_oldest_in_state_seconds{state="${name}"}`
const acm = 'cert_operator_circuit_breaker_state{service="acm"}'

const cases: Readonly<Record<string, AlertCase>> = {
  CertificateExpiringSoon: {
    fires: { [days]: '13.9x120' },
    quiet: { [days]: '14x120' },
    after: '61m',
    labels: api,
    summary: 'The certificate of Cert team/api ends in 13.9 days',
  },
  // Exactly seven days are the last week already.
  CertificateExpiryCritical: {
    fires: { [days]: '7x60' },
    quiet: { [days]: '7.1x60' },
    after: '31m',
    labels: api,
    summary: 'The certificate of Cert team/api ends in 7 days',
  },
  AWSAPIThrottlingHigh: {
    fires: { 'cert_operator_throttling_events_total{operation="GetChange"}': '0+7x30' },
    quiet: { 'cert_operator_throttling_events_total{operation="GetChange"}': '0+5x30' },
    after: '15m',
    labels: { operation: 'GetChange' },
    summary: 'AWS throttles GetChange',
  },
  CertificatesFailed: {
    fires: { 'cert_operator_certificates_total{state="Failed"}': '2x30' },
    quiet: {
      'cert_operator_certificates_total{state="Failed"}': '0x30',
      'cert_operator_certificates_total{state="Ready"}': '9x30',
    },
    after: '16m',
    labels: { state: 'Failed' },
    summary: '2 Certs have failed',
  },
  HighReconciliationErrorRate: {
    fires: { [passes('false')]: '0+2x40', [passes('true')]: '0+8x40' },
    quiet: { [passes('false')]: '0+1x40', [passes('true')]: '0+9x40' },
    after: '20m',
    summary: 'More than a tenth of the passes over Certs fail',
  },
  CertificateExpired: {
    fires: { cert_operator_certificates_expired: '1x20' },
    quiet: { cert_operator_certificates_expired: '0x20' },
    after: '6m',
    summary: '1 certificates are past their end',
  },
  CertificateRenewalUnhealthy: {
    fires: {
      'cert_operator_renewal_unhealthy{reason="NotInUse"}': '1x90',
      'cert_operator_renewal_unhealthy{reason="Overdue"}': '2x90',
    },
    quiet: { 'cert_operator_renewal_unhealthy{reason="NotInUse"}': '0x90' },
    after: '61m',
    summary: '3 certificates are not renewed as a matter of course',
  },
  CertificateStuck: {
    fires: { [state('Created')]: '7201+60x60', [state('Ready')]: '999999x60' },
    quiet: { [state('Created')]: '60+60x60', [state('Ready')]: '999999x60' },
    after: '16m',
    labels: { state: 'Created' },
    summary: 'A Cert has been Created for more than two hours',
  },
  AWSCircuitOpen: {
    fires: { [acm]: '2x20' },
    quiet: { [acm]: '1x20' },
    after: '6m',
    labels: { service: 'acm' },
    summary: 'acm does not answer, and is not called for a while',
  },
  ExpiryTrackingOverflow: {
    fires: { cert_operator_certificates_not_tracked: '4x60' },
    quiet: { cert_operator_certificates_not_tracked: '0x60' },
    after: '31m',
    summary: '4 certificates that end soon have no series of their own',
  },
  WebhookFailingOpen: {
    fires: { cert_operator_webhook_fail_open_total: '0 0 1x20' },
    quiet: { cert_operator_webhook_fail_open_total: '3x20' },
    after: '5m',
    summary: 'Certs are let through without a check',
  },
  CertOperatorNoLeader: {
    fires: { 'cert_operator_leader{pod="a"}': '0x20', 'cert_operator_leader{pod="b"}': '0x20' },
    quiet: { 'cert_operator_leader{pod="a"}': '0x20', 'cert_operator_leader{pod="b"}': '1x20' },
    after: '6m',
    summary: '0 processes lead the certificate operator, where exactly one has to',
  },
}

describe(
  'metrics and alerts of certificates',
  'skipped' in program ? { skip: `promtool did not look at them: ${program.skipped}` } : {},
  () => {
    it('the exposition has nothing that promtool complains of, but for one name of the wire contract [19.4]', () => {
      const { code, text } = runPromtool(promtool, ['check', 'metrics'], { input: exposed() })
      // The specification calls a gauge so, and dashboards know it by that name.
      const known = 'cert_operator_certificates_total non-counter metrics should not have "_total" suffix'
      assert.deepEqual([text.trim().split('\n'), code], [[known], 3])
    })

    it('the rules are valid, and every one of them has a test here [11]', () => {
      const { code, text } = rules.check()
      assert.equal(code, 0, text)
      assert.match(text, new RegExp(`SUCCESS: ${alertRules.length} rules found`))
      assert.deepEqual(
        Object.keys(cases),
        alertRules.map(({ alert }) => alert),
      )
    })

    for (const [alert, one] of Object.entries(cases)) {
      it(`${alert} fires when it has to, and is quiet just before [11]`, () => {
        const { code, text } = rules.test(alertTests(saidOf(alert), one))
        assert.equal(code, 0, text)
      })
    }

    it('a test of a rule fails where the rule does not fire', () => {
      const one = cases['CertificateExpired']
      assert.ok(one !== undefined)
      const { code, text } = rules.test(alertTests(saidOf('CertificateExpired'), { ...one, fires: one.quiet }))
      assert.notEqual(code, 0, text)
    })

    it('every query of the dashboard is one that Prometheus can read [11]', () => {
      const recording = panels
        .flatMap(({ queries }) => Object.values(queries))
        .map((expr, index) => ({ record: `panel:${index}`, expr }))
      const { code, text } = runPromtool(promtool, ['check', 'rules', 'panels.yaml'], {
        files: { 'panels.yaml': dump({ groups: [{ name: 'panels', rules: recording }] }, { lineWidth: -1 }) },
      })
      assert.equal(code, 0, text)
    })
  },
)

function saidOf(alert: string): AlertSaid {
  const severity = alertRules.find(rule => rule.alert === alert)?.severity
  return { alert, severity, runbook: `${runbookPage}#${alert.toLowerCase()}` }
}

/** Every metric with a sample at least. */
function exposed(): string {
  const metrics = new Metrics()
  const clock = new ManualClock()
  const zones = { registry: { zones: [{ name: 'a.dev', id: 'Z1' }] }, facts: () => ({ exists: true }) }
  const options = { metrics, clock, nowMs: () => clock.now(), zones, thresholdDays: 90, trackedMax: 10, controller: 'cert' }
  const telemetry = createTelemetry(options)
  void telemetry.companion.run({} as never, new AbortController().signal)
  const { calls } = telemetry
  calls.begin('GetChange')(true)
  calls.throttled('GetChange')
  calls.waited('acm', 3)
  calls.breakerMoved('acm', 'open')
  calls.readBreakers(() => 'open')
  calls.readTokens(() => 3)
  calls.readCacheEntries(() => 3)
  return metrics.expose()
}
