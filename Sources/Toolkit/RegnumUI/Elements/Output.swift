// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package struct Output {
    package var elements: [Element] = []
    var preferences: [ObjectIdentifier: any Preference] = [:]

    init() {}

    init(_ element: Element) { elements = [element] }

    init(merging outputs: [Output]) {
        if outputs.count == 1 { self = outputs[0] } else { for output in outputs { append(output) } }
    }

    mutating func append(_ other: Output) {
        elements += other.elements
        addPreferences(of: other)
    }

    mutating func addPreferences(of other: Output) {
        for (key, later) in other.preferences {
            preferences[key] = preferences[key].map { $0.followed(by: later) } ?? later
        }
    }

    subscript<K: PreferenceKey>(_ key: K.Type) -> K.Value {
        get { (preferences[ObjectIdentifier(key)] as? PreferenceOf<K>)?.value ?? K.defaultValue }
        set { preferences[ObjectIdentifier(key)] = PreferenceOf<K>(value: newValue) }
    }

    /// Combines a value with the value that the key already has.
    mutating func add<K: PreferenceKey>(_ value: K.Value, _ key: K.Type) {
        var all = self[key]
        K.reduce(value: &all) { value }
        self[key] = all
    }

    /// Removes the value, so that ancestors don't receive it.
    mutating func take<K: PreferenceKey>(_ key: K.Type) -> K.Value {
        defer { preferences[ObjectIdentifier(key)] = nil }
        return self[key]
    }
}

/// The key of a value that views pass to their ancestors.
public protocol PreferenceKey {
    /// The type of the value.
    associatedtype Value
    /// The value of views that don't set one.
    static var defaultValue: Self.Value { get }
    /// Combines a value with the value of the next view.
    static func reduce(value: inout Self.Value, nextValue: () -> Self.Value)
}

extension PreferenceKey where Value: ExpressibleByNilLiteral {
    /// The default value: `nil`.
    public static var defaultValue: Value { nil }
}

protocol Preference {
    func followed(by later: any Preference) -> any Preference
}

struct PreferenceOf<K: PreferenceKey>: Preference {
    var value: K.Value

    func followed(by later: any Preference) -> any Preference {
        guard let later = later as? PreferenceOf<K> else { return self }
        var combined = self
        K.reduce(value: &combined.value) { later.value }
        return combined
    }
}

nonisolated struct PreferenceModification<K: PreferenceKey>: Modification {
    let value: K.Value

    @MainActor func apply(to output: inout Output, _ node: Node) { output[K.self] = value }
}

nonisolated struct PreferenceChangeModification<K: PreferenceKey>: Modification where K.Value: Equatable {
    let action: (K.Value) -> Void

    private final class Previous {
        let value: K.Value
        init(_ value: K.Value) { self.value = value }
    }

    @MainActor func apply(to output: inout Output, _ node: Node) {
        let value = output[K.self]
        if let previous = node.memory as? Previous, previous.value == value { return }
        node.memory = Previous(value)
        node.graph.afterPass { action(value) }
    }
}

extension View {
    /// Sets the value that the view passes to its ancestors.
    nonisolated public func preference<K>(key: K.Type = K.self, value: K.Value) -> some View where K: PreferenceKey {
        modifier(PreferenceModification<K>(value: value))
    }

    /// Runs an action with the combined value of the view's descendants, initially and when it changes.
    nonisolated public func onPreferenceChange<K>(
        _ key: K.Type = K.self, perform action: @escaping (K.Value) -> Void
    ) -> some View where K: PreferenceKey, K.Value: Equatable {
        modifier(PreferenceChangeModification<K>(action: action))
    }
}
