// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PersistedMembers
    @_exported import RealmSwift

    /// A macro that declares the `dynamic var` properties of a class as stored, in the style from before Realm 10.10.
    ///
    /// ```swift
    /// @PersistedMembers
    /// class Dog: Object {
    ///     dynamic var id = ""
    ///     dynamic var age = 1
    ///     dynamic var toy: Toy?
    ///     let litter = List<Dog>()
    ///     let weight = RealmProperty<Double?>()
    ///     let owners = LinkingObjects(fromType: Person.self, property: "dogs")
    ///
    ///     override static func primaryKey() -> String? { "id" }
    /// }
    /// ```
    ///
    /// To make a class for Apple platforms portable, replace `@objcMembers` with this macro, or insert the macro before
    /// the class, and delete each `@objc`. Properties may have the types `NSDate`, `NSString` and `NSData`, and enums
    /// that conform to `RealmEnum`. The file format is that of `@Persisted`.
    ///
    /// `primaryKey()`, `indexedProperties()` and `ignoredProperties()` have their usual meaning. A property whose type
    /// can't be stored must be named in `ignoredProperties()`, as a literal within an array, or must not be `dynamic`.
    /// The macro skips properties that are computed, `lazy` or not `dynamic`, and all properties of a class that
    /// declares a `@Persisted` property. A subclass needs the macro for its own properties.
    @attached(memberAttribute)
    public macro PersistedMembers() =
        #externalMacro(module: "RegnumMacros", type: "PersistedMembersMacro")
#endif
