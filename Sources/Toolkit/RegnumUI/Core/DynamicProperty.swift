// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A property of a view that the host updates before each evaluation of the view's `body`.
///
/// The dynamic properties of its type, such as its own `@State` or `@Environment`, belong to the same view.
public protocol DynamicProperty {
    /// Updates the value. The host calls it before each evaluation of `body`, after it has updated the inner
    /// properties.
    mutating func update()
}

extension DynamicProperty {
    /// Has no effect.
    public mutating func update() {}
}

protocol HostedProperty: DynamicProperty {
    @MainActor mutating func connect(_ slot: PropertySlot)
}

/// The values of an app's dynamic properties, shared by all of its windows.
@MainActor package final class SharedSlots {
    var slots: [AnyObject?] = []
    package init() {}
}

/// A view whose property storage outlives its node.
@MainActor protocol SharesSlots {
    var shared: SharedSlots? { get }
}

@MainActor struct PropertySlot {
    let node: Node
    let index: Int

    var stored: AnyObject? {
        get {
            let slots = node.shared?.slots ?? node.slots
            return index < slots.count ? slots[index] : nil
        }
        nonmutating set {
            if let shared = node.shared { put(newValue, &shared.slots) } else { put(newValue, &node.slots) }
        }
    }

    private func put(_ object: AnyObject?, _ slots: inout [AnyObject?]) {
        while slots.count <= index { slots.append(nil) }
        slots[index] = object
    }

    func stored<T: AnyObject>(_ make: () -> T) -> T {
        if let kept = stored as? T { return kept }
        let made = make()
        stored = made
        return made
    }
}

@MainActor struct PropertyField {
    let offset: Int
    let type: any DynamicProperty.Type
    let inner: [PropertyField]

    private static var known: [ObjectIdentifier: [PropertyField]] = [:]

    static func of(_ type: Any.Type) -> [PropertyField] {
        if let fields = known[ObjectIdentifier(type)] { return fields }
        var found: [PropertyField] = []
        for field in Fields.of(type) {
            if let property = field.type as? any DynamicProperty.Type {
                let isHosted = property is any HostedProperty.Type
                found.append(
                    PropertyField(offset: field.offset, type: property, inner: isHosted ? [] : of(property)))
            } else if type is any HoldsProperties.Type, field.offset == 0 {
                found += of(field.type)
            }
        }
        known[ObjectIdentifier(type)] = found
        return found
    }

    /// Updates the properties in place, inner properties first.
    static func connect(_ fields: [PropertyField], at base: UnsafeMutableRawPointer, _ node: Node, _ index: inout Int) {
        for field in fields {
            let address = base + field.offset
            connect(field.inner, at: address, node, &index)
            if let hosted = field.type as? any HostedProperty.Type {
                connect(hosted, at: address, PropertySlot(node: node, index: index))
                index += 1
            }
            update(field.type, at: address)
        }
    }

    private static func connect<P: HostedProperty>(
        _ type: P.Type, at address: UnsafeMutableRawPointer, _ slot: PropertySlot
    ) {
        address.assumingMemoryBound(to: P.self).pointee.connect(slot)
    }

    private static func update<P: DynamicProperty>(_ type: P.Type, at address: UnsafeMutableRawPointer) {
        address.assumingMemoryBound(to: P.self).pointee.update()
    }
}
