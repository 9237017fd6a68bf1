// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An instance that is passed through other threads back to where it is confined; elsewhere it isn't used.
package struct ConfinedReference<Instance>: @unchecked Sendable {
    package let instance: Instance

    package init(instance: Instance) { self.instance = instance }
}
