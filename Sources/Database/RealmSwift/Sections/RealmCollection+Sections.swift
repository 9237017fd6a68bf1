// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// Grouping of a managed collection's elements into sections. Keys are values or nil, but not objects.
extension RealmCollection {
    /// Returns the elements sorted by several properties and grouped into sections. A block computes the key of each
    /// element's section, and must always return equal keys for the same element.
    public func sectioned<Key: _Persistable>(
        sortDescriptors: [SortDescriptor], _ keyBlock: @escaping (Element) -> Key
    ) -> SectionedResults<Key, Element> {
        if sortDescriptors.isEmpty {
            throwRealmException("There must be at least one SortDescriptor when using SectionedResults.")
        }
        let shape = Key._shape
        if shape.collection != .none || shape.objectType != nil {
            throwRealmException("Links are not supported as section keys.")
        }
        return SectionedResults(SectionsCore(requireCore().sorted(by: sortDescriptors), keyBlock))
    }

    /// Returns the values sorted and grouped into sections. A block computes the key of each value's section.
    public func sectioned<Key: _Persistable>(
        by block: @escaping (Element) -> Key, ascending: Bool = true
    ) -> SectionedResults<Key, Element> {
        sectioned(sortDescriptors: [SortDescriptor(keyPath: "self", ascending: ascending)], block)
    }

    /// `keyPath` begins with the stored property that determines the order. A computed property may follow that
    /// property, or be derived from it.
    private func sectioned<Key: _Persistable>(
        along keyPath: KeyPath<Element, Key>, _ sortDescriptors: (String) -> [SortDescriptor]
    ) -> SectionedResults<Key, Element> {
        let properties = PropertyProbe.beginning(of: keyPath)
        let name = properties.isEmpty ? PropertyProbe.name(of: keyPath) : properties.map(\.name).joined(separator: ".")
        let sortDescriptors = sortDescriptors(name)
        guard let primary = sortDescriptors.first else {
            throwRealmException("Can not section Results with empty sortDescriptor parameter.")
        }
        if primary.keyPath != name {
            throwRealmException("The section key path must match the primary sort descriptor.")
        }
        return sectioned(sortDescriptors: sortDescriptors) { $0[keyPath: keyPath] }
    }
}

extension RealmCollection where Element: ObjectBase {
    /// Returns the objects sorted by a property and grouped into sections by its values.
    public func sectioned<Key: _Persistable>(
        by keyPath: KeyPath<Element, Key>, ascending: Bool = true
    ) -> SectionedResults<Key, Element> {
        sectioned(along: keyPath) { [SortDescriptor(keyPath: $0, ascending: ascending)] }
    }

    /// Returns the objects grouped into sections by a property, and sorted first by that property.
    public func sectioned<Key: _Persistable>(
        by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
    ) -> SectionedResults<Key, Element> {
        sectioned(along: keyPath) { _ in sortDescriptors }
    }

    /// Returns the objects sorted by several properties and grouped into sections. A block computes the key of each
    /// object's section.
    public func sectioned<Key: _Persistable>(
        by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
    ) -> SectionedResults<Key, Element> {
        sectioned(sortDescriptors: sortDescriptors, block)
    }
}

extension RealmCollection {
    /// Returns the projections sorted by a property and grouped into sections by its values.
    public func sectioned<Key: _Persistable, O: ObjectBase>(
        by keyPath: KeyPath<Element, Key>, ascending: Bool = true
    ) -> SectionedResults<Key, Element> where Element: Projection<O> {
        sectioned(along: keyPath) { [SortDescriptor(keyPath: $0, ascending: ascending)] }
    }

    /// Returns the projections grouped into sections by a property, and sorted first by that property.
    public func sectioned<Key: _Persistable, O: ObjectBase>(
        by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
    ) -> SectionedResults<Key, Element> where Element: Projection<O> {
        sectioned(along: keyPath) { _ in sortDescriptors }
    }

    /// Returns the projections sorted by several properties of their objects and grouped into sections. A block
    /// computes the key of each projection's section.
    public func sectioned<Key: _Persistable, O: ObjectBase>(
        by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
    ) -> SectionedResults<Key, Element> where Element: Projection<O> {
        sectioned(sortDescriptors: sortDescriptors, block)
    }
}

package enum SectionProperty {
    /// Returns the name of the stored property that orders sections by `keyPath`.
    package static func name<Element: RealmCollectionValue, Key>(of keyPath: KeyPath<Element, Key>) -> String {
        let properties = PropertyProbe.beginning(of: keyPath)
        return properties.isEmpty ? PropertyProbe.name(of: keyPath) : properties.map(\.name).joined(separator: ".")
    }
}
