// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// The storage of a binding to an object's property.
    ///
    /// It reads the object's current value. After the object is deleted, it returns the last value and ignores writes.
    /// It retains no copy of an object or a collection, because that would pin a version.
    @MainActor final class PropertyBinding<Root: ThreadConfined, Value> {
        private let target: () -> Root?
        private let keyPath: ReferenceWritableKeyPath<Root, Value>
        private let isSame: (Value, Value) -> Bool
        private let isCollection = Value.self is RLMSwiftCollectionBase.Type
        private let spare: () -> Value
        private var last: Value?

        /// `target` returns the writable object; `spare` returns the value if there has never been an object.
        init(
            _ keyPath: ReferenceWritableKeyPath<Root, Value>, spare: @escaping () -> Value,
            isSame: @escaping (Value, Value) -> Bool = { _, _ in false }, target: @escaping () -> Root?
        ) {
            (self.target, self.keyPath, self.isSame, self.spare) = (target, keyPath, isSame, spare)
            _ = value
        }

        var value: Value {
            guard let object = target() else { return last ?? spare() }
            let value = object[keyPath: keyPath]
            if let collection = value as? any BindableCollection {
                if object.realm == nil { UnmanagedThings.link(collection, to: object) }
                return collection.bindable() as? Value ?? value
            }
            if let linked = value as? ObjectBase {
                let isSettled = linked.realm?.isInWriteTransaction == false && !linked.isInvalidated
                return isSettled ? linked.freeze() as? Value ?? value : value
            }
            last = value
            return value
        }

        func set(_ new: Value) {
            guard let object = target() else { return }
            if isCollection { return setCollection(new, of: object) }
            let old = object[keyPath: keyPath]
            if let old = old as? ObjectBase, let new = new as? ObjectBase, old.isSameEntity(as: new) { return }
            if isSame(old, new) { return }
            Writing.change(object, with: new) { object, _, new in object[keyPath: keyPath] = new }
        }

        /// A bound collection writes its elements itself, and is then assigned to the property.
        private func setCollection(_ new: Value, of object: Root) {
            let old = object[keyPath: keyPath]
            let isItself = (old as? any Watchable)?.isSameThing(as: new) ?? false
            if isItself, object.realm != nil { return }
            Writing.change(object) { object, _ in if !isItself { object[keyPath: keyPath] = new } }
        }

        var binding: Binding<Value> { Binding(get: { @MainActor in self.value }, set: { @MainActor in self.set($0) }) }
    }

    /// A collection returned by a binding.
    ///
    /// The protocol doesn't inherit from `ThreadConfined`: in the module of the collections, that would isolate their
    /// implied conformances.
    @MainActor private protocol BindableCollection {
        func bindable() -> Self
        func unchanging() -> Self
    }

    extension BindableCollection where Self: ThreadConfined {
        fileprivate func bindable() -> Self {
            realm != nil && !isFrozen && !isInvalidated ? unchanging() : self
        }

        fileprivate func unchanging() -> Self { freeze() }
    }

    extension MutableSet: @MainActor BindableCollection {}
    extension Map: @MainActor BindableCollection {}

    extension RealmSwift.List: @MainActor BindableCollection {
        fileprivate func unchanging() -> Self { unsafe unsafeDowncast(freeze().bound(), to: Self.self) }
    }
#endif
