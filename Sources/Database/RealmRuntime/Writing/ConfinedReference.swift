// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An instance that is passed through other threads, and used only where it is confined.
package struct ConfinedReference<Instance>: @unchecked Sendable {
    package let instance: Instance

    package init(instance: Instance) { self.instance = instance }
}
