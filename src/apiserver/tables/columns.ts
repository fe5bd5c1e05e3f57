// Columns written short: `Name`, `Desired:integer`, `IP^1` (only with -o wide).
import type { TableColumn } from './types.ts'

const nameColumn: TableColumn = { name: 'Name', type: 'string', format: 'name', description: 'Name of the object.', priority: 0 }

export function columnsOf(text: string): readonly TableColumn[] {
  return text.split('|').map(part => {
    const [, name = '', type = 'string', priority = '0'] = /^\s*([^:^]+?)(?::(\w+))?(?:\^(\d))?\s*$/.exec(part) ?? []
    if (name === 'Name') return { ...nameColumn, priority: Number(priority) }
    return { name, type, format: '', description: `${name} of the object.`, priority: Number(priority) }
  })
}
