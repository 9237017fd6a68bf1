// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PersistedMembers
    @_exported import RealmSwift

    /// Stores the properties of a class of the style before 10.10: those that are declared `dynamic var`.
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
    /// To make a class for Apple platforms portable, replace `@objcMembers` by this macro, or put the macro in front of
    /// the class, and delete each `@objc`. Properties may be of type `NSDate`, `NSString` and `NSData`, and of enums
    /// that conform to `RealmEnum`. The file format is unchanged, and equal to that of `@Persisted`.
    ///
    /// `primaryKey()`, `indexedProperties()` and `ignoredProperties()` have their usual meaning. A property of a type
    /// that can't be stored must be named in `ignoredProperties()` as a literal within an array, or not be `dynamic`.
    /// The macro skips computed and `lazy` properties and those that aren't `dynamic`, and all properties of a class
    /// that declares one `@Persisted`. A subclass needs the macro for its own properties.
    @attached(memberAttribute)
    public macro PersistedMembers() =
        #externalMacro(module: "RegnumMacros", type: "PersistedMembersMacro")
#endif
