// Alert rules under promtool: that they are valid, and that each fires when it has to and not before.
import { dump } from 'js-yaml'
import { type PromtoolRun, runPromtool } from './promtool.ts'

export interface AlertCase {
  /** Series by their samples, one a minute. */
  readonly fires: Readonly<Record<string, string>>
  /** The last one at which it must be quiet, at the same time. */
  readonly quiet: Readonly<Record<string, string>>
  readonly after: string
  readonly labels?: Readonly<Record<string, string>>
  readonly summary: string
}

/** What the alert says of itself beside what the case says. */
export interface AlertSaid {
  readonly alert: string
  readonly severity: string | undefined
  readonly runbook: string
}

export interface RulesUnderTest {
  check(): PromtoolRun
  test(tests: readonly object[]): PromtoolRun
}

export function rulesUnderTest(promtool: string, rules: object): RulesUnderTest {
  const text = (page: object): string => dump(page, { lineWidth: -1 })
  const files = { 'rules.yaml': text(rules) }
  return {
    check: () => runPromtool(promtool, ['check', 'rules', '--lint=all', '--lint-fatal', 'rules.yaml'], { files }),
    test: tests => {
      const page = { rule_files: ['rules.yaml'], evaluation_interval: '1m', tests }
      return runPromtool(promtool, ['test', 'rules', 'tests.yaml'], { files: { ...files, 'tests.yaml': text(page) } })
    },
  }
}

export function alertTests(said: AlertSaid, one: AlertCase): readonly object[] {
  return (['fires', 'quiet'] as const).map(which => alertTest(said, one, which))
}

export function alertTest({ alert, severity, runbook }: AlertSaid, one: AlertCase, which: 'fires' | 'quiet'): object {
  const { after, labels = {}, summary } = one
  const fired = { exp_labels: { severity, ...labels }, exp_annotations: { summary, runbook } }
  return {
    interval: '1m',
    input_series: Object.entries(one[which]).map(([series, values]) => ({ series, values })),
    alert_rule_test: [{ eval_time: after, alertname: alert, exp_alerts: which === 'fires' ? [fired] : [] }],
  }
}
