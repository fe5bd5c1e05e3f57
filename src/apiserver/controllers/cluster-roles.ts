// ClusterRoles that gather the rules of others by label.
import { type LabelSelectorObject, selectorFromObject } from '#kube'
import { type Committed, equalJson } from '../draft.ts'
import type { MakeController } from './runner.ts'

const tableName = 'clusterroles.rbac.authorization.k8s.io'

export const roleAggregation: MakeController = ({ ports, api }) => ({
  name: 'clusterrole-aggregation',
  // Any role may be part of any other: with a few dozen of them, looking at all is cheaper than being clever.
  keys: (_event, table) => (table.name === tableName ? ['all'] : []),
  reconcile: async () => {
    const roles: Committed[] = []
    ports.store.table(tableName).rows.visit('', version => roles.push(version.object) > 0)
    for (const role of roles) {
      const rule = role.aggregationRule as { clusterRoleSelectors?: readonly LabelSelectorObject[] } | undefined
      if (rule === undefined) continue
      const selectors = (rule.clusterRoleSelectors ?? []).map(selectorFromObject)
      const parts = roles.filter(other => other !== role && selectors.some(selector => selector.matches(other.metadata.labels)))
      const rules = uniqueRules(parts.flatMap(part => (part.rules ?? []) as readonly unknown[]))
      if (!equalJson(rules, role.rules ?? [])) {
        await api.merge(`/apis/rbac.authorization.k8s.io/v1/clusterroles/${role.metadata.name}`, { rules })
      }
    }
    return undefined
  },
})

function uniqueRules(rules: readonly unknown[]): readonly unknown[] {
  return rules.filter((rule, index) => rules.findIndex(other => equalJson(other, rule)) === index)
}
