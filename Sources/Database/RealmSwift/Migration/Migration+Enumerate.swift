// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

extension Migration {
    /// Calls `block` for each old object of a class, with the corresponding new object. Objects that this migration
    /// created are omitted, unless the file had no such class before. A class that doesn't exist has no objects.
    ///
    /// The block may delete objects; objects that are already deleted are skipped.
    /// `Realm.Configuration.schemaRules.migrationProgress` is called as the objects are processed.
    public func enumerateObjects(ofType typeName: String, _ block: MigrationObjectEnumerateBlock) {
        new.verifyThread()
        let target = newSchema[typeName] == nil ? nil : new.dynamicClass(named: typeName)
        if let source = old.dynamicClass(named: typeName) { return enumerate(source, target, block) }
        guard let target else { return }
        for key in new.allKeys(of: target) {
            guard let table = new.table(target.tableKey), new.reading(nil, { try table.find(key) }) != nil else {
                continue
            }
            block(nil, new.object(of: DynamicObject.self, target, key))
        }
    }

    private func enumerate(_ source: ManagedClass, _ target: ManagedClass?, _ block: MigrationObjectEnumerateBlock) {
        guard let table = old.table(source.tableKey) else { return }
        let count = old.reading(0) { try table.count() }
        var done = 0
        var before = AccessorFactory(old, source)
        var after = target.map { AccessorFactory(new, $0) }
        var rows = target.map(RowLocator.init)
        report(source, done, of: count)
        new.reading(()) {
            try table.clusters.forEachLeaf { leaf in
                for row in 0..<leaf.count {
                    let key = leaf.key(at: row)
                    var object: DynamicObject?
                    if target != nil {
                        guard let place = rows?.place(of: key, in: new) else { continue }
                        object = after?.object(key, at: place) as? DynamicObject
                    }
                    let place = RowLocation(leaf.node, row: row, stamp: old.state.pointee.clock.clusterLeaf)
                    block(before.object(key, at: place) as? DynamicObject, object)
                }
                done += leaf.count
                report(source, done, of: count)
                return true
            }
        }
    }

    private func report(_ managed: ManagedClass, _ done: Int, of count: Int) {
        installer.configuration.schemaRules.migrationProgress?(
            MigrationProgress(className: managed.info.name, objectsDone: done, objectCount: count))
    }
}
