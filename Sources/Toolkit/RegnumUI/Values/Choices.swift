// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The way an image is scaled to its frame: entirely visible, or covering the frame.
public enum ContentMode: Hashable, CaseIterable, Sendable { case fit, fill }
/// A light or dark colour scheme.
public enum ColorScheme: Hashable, CaseIterable, Sendable { case light, dark }
/// The phase of a window or of the app.
public enum ScenePhase: Hashable, Comparable, Sendable { case background, inactive, active }
/// The visibility of an element.
public enum Visibility: Hashable, CaseIterable, Sendable { case automatic, visible, hidden }
/// The direction of reading.
public enum LayoutDirection: Hashable, CaseIterable, Sendable { case leftToRight, rightToLeft }
/// The size class of a window: compact if it is narrow or low.
public enum UserInterfaceSizeClass: Hashable, Sendable { case compact, regular }
/// The style of rounded corners. Has no effect in the browser host.
public enum RoundedCornerStyle: Hashable, Sendable { case circular, continuous }
/// The prominence of a header.
public enum Prominence: Hashable, Sendable { case standard, increased }
/// The size of a control.
public enum ControlSize: Hashable, CaseIterable, Sendable { case mini, small, regular, large, extraLarge }

/// The text size set by the user. In the browser host, the browser itself scales texts.
public enum DynamicTypeSize: Hashable, Comparable, CaseIterable, Sendable {
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
    case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5

    /// A Boolean value that indicates whether the size is one of the accessibility sizes.
    public var isAccessibilitySize: Bool { self >= .accessibility1 }
}

/// The text size set by the user, by its older name.
public enum ContentSizeCategory: Hashable, CaseIterable, Sendable {
    case extraSmall, small, medium, large, extraLarge, extraExtraLarge, extraExtraExtraLarge, accessibilityMedium
    case accessibilityLarge, accessibilityExtraLarge, accessibilityExtraExtraLarge, accessibilityExtraExtraExtraLarge
}

/// A mode that determines whether the user can delete and move rows.
public enum EditMode: Hashable, Sendable {
    case inactive, transient, active

    /// A Boolean value that indicates whether the user is editing rows.
    public var isEditing: Bool { self != .inactive }
}

/// The label of an on-screen keyboard's return key.
public struct SubmitLabel: Sendable {
    let css: String
    /// The label “Done”.
    public static let done = SubmitLabel(css: "done")
    /// The label “Go”.
    public static let go = SubmitLabel(css: "go")
    /// The label “Send”.
    public static let send = SubmitLabel(css: "send")
    /// The label “Join”, shown as “Go”.
    public static let join = SubmitLabel(css: "go")
    /// The label “Route”, shown as “Go”.
    public static let route = SubmitLabel(css: "go")
    /// The label “Search”.
    public static let search = SubmitLabel(css: "search")
    /// The label “Return”.
    public static let `return` = SubmitLabel(css: "enter")
    /// The label “Next”.
    public static let next = SubmitLabel(css: "next")
    /// The label “Continue”, shown as “Next”.
    public static let `continue` = SubmitLabel(css: "next")
}

/// The events that run the actions of `onSubmit`.
public struct SubmitTriggers: OptionSet, Sendable {
    /// The raw value, which has a bit for each option.
    public let rawValue: Int
    /// Creates a set from its raw value.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Return in a text field.
    public static let text = SubmitTriggers(rawValue: 1)
    /// Return in a search field.
    public static let search = SubmitTriggers(rawValue: 2)
}

/// The automatic capitalization of on-screen keyboards.
public struct TextInputAutocapitalization: Sendable {
    let css: String
    /// Disables capitalization.
    public static var never: TextInputAutocapitalization { .init(css: "none") }
    /// Capitalizes the first letter of each word.
    public static var words: TextInputAutocapitalization { .init(css: "words") }
    /// Capitalizes the first letter of each sentence.
    public static var sentences: TextInputAutocapitalization { .init(css: "sentences") }
    /// Capitalizes every character.
    public static var characters: TextInputAutocapitalization { .init(css: "characters") }
}

/// The automatic capitalization of on-screen keyboards, by its older name.
public enum UITextAutocapitalizationType: Int, Sendable {
    case none, words, sentences, allCharacters

    var css: String { ["none", "words", "sentences", "characters"][rawValue] }
}

/// The type of an on-screen keyboard.
public enum UIKeyboardType: Int, Sendable {
    case `default`, asciiCapable, numbersAndPunctuation, URL, numberPad, phonePad, namePhonePad, emailAddress
    case decimalPad, twitter, webSearch, asciiCapableNumberPad

    var inputMode: String {
        switch self {
        case .URL: "url"
        case .numberPad, .asciiCapableNumberPad: "numeric"
        case .phonePad: "tel"
        case .emailAddress: "email"
        case .decimalPad: "decimal"
        case .webSearch: "search"
        default: "text"
        }
    }
}

/// The content type of a text field, which a browser uses to fill it in.
public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    /// The content type as a value of the HTML attribute `autocomplete`.
    public let rawValue: String
    /// Creates a content type from a value of the HTML attribute `autocomplete`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A person's full name.
    public static let name = UITextContentType(rawValue: "name")
    /// A person's given name.
    public static let givenName = UITextContentType(rawValue: "given-name")
    /// A person's family name.
    public static let familyName = UITextContentType(rawValue: "family-name")
    /// The user name of an account.
    public static let username = UITextContentType(rawValue: "username")
    /// The current password of an account.
    public static let password = UITextContentType(rawValue: "current-password")
    /// A new password for an account.
    public static let newPassword = UITextContentType(rawValue: "new-password")
    /// A one-time code for logging in.
    public static let oneTimeCode = UITextContentType(rawValue: "one-time-code")
    /// An email address.
    public static let emailAddress = UITextContentType(rawValue: "email")
    /// A telephone number.
    public static let telephoneNumber = UITextContentType(rawValue: "tel")
    /// A URL.
    public static let URL = UITextContentType(rawValue: "url")
}

/// A key of the keyboard, identified by its character.
public struct KeyEquivalent: Hashable, Sendable, ExpressibleByExtendedGraphemeClusterLiteral {
    /// The character that the key types.
    public let character: Character
    /// Creates a key.
    public init(_ character: Character) { self.character = character }
    /// Creates a key from a character literal.
    public init(extendedGraphemeClusterLiteral value: Character) { character = value }
    /// The Return key.
    public static let `return` = KeyEquivalent("\r")
    /// The Escape key.
    public static let escape = KeyEquivalent("\u{1B}")
    /// The Delete key.
    public static let delete = KeyEquivalent("\u{8}")
    /// The space bar.
    public static let space = KeyEquivalent(" ")
    /// The Tab key.
    public static let tab = KeyEquivalent("\t")
}

/// The modifier keys of a shortcut.
public struct EventModifiers: OptionSet, Sendable {
    /// The raw value, which has a bit for each option.
    public let rawValue: Int
    /// Creates a set from its raw value.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The Command key. In a browser, it is the Control key.
    public static let command = EventModifiers(rawValue: 1)
    /// The Shift key.
    public static let shift = EventModifiers(rawValue: 2)
    /// The Option key. In a browser, it is the Alt key.
    public static let option = EventModifiers(rawValue: 4)
    /// The Control key.
    public static let control = EventModifiers(rawValue: 8)
}

/// A combination of a key and modifier keys that triggers a button.
public struct KeyboardShortcut: Sendable {
    let text: String
    /// Creates a shortcut.
    public init(_ key: KeyEquivalent, modifiers: EventModifiers = .command) {
        text = "\(modifiers.rawValue)\(key.character)"
    }
    /// The shortcut of a default button: Return.
    public static let defaultAction = KeyboardShortcut(.return, modifiers: [])
    /// The shortcut of a cancel button: Escape.
    public static let cancelAction = KeyboardShortcut(.escape, modifiers: [])
}

/// The characteristics of a view that assistive technology announces.
public struct AccessibilityTraits: OptionSet, Sendable {
    /// The raw value, which has a bit for each option.
    public let rawValue: Int
    /// Creates a set from its raw value.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The element is a button.
    public static let isButton = AccessibilityTraits(rawValue: 1)
    /// The element is a heading.
    public static let isHeader = AccessibilityTraits(rawValue: 2)
    /// The element is selected.
    public static let isSelected = AccessibilityTraits(rawValue: 4)
    /// The element is a link.
    public static let isLink = AccessibilityTraits(rawValue: 8)
    /// The element is an image.
    public static let isImage = AccessibilityTraits(rawValue: 16)
    /// The element is static text.
    public static let isStaticText = AccessibilityTraits(rawValue: 32)
    /// The element is modal: assistive technology ignores the elements around it.
    public static let isModal = AccessibilityTraits(rawValue: 64)
    /// The element's label or value changes often.
    public static let updatesFrequently = AccessibilityTraits(rawValue: 128)

    var names: String {
        ["button", "header", "selected", "link", "image", "text", "modal", "live"].enumerated()
            .filter { rawValue & 1 << $0.offset != 0 }.map(\.element).joined(separator: " ")
    }
}

/// The way assistive technology presents the children of a view.
public struct AccessibilityChildBehavior: Hashable, Sendable {
    let isCombined: Bool
    /// Combines the children into one element.
    public static let combine = AccessibilityChildBehavior(isCombined: true)
    /// Ignores the children. In the browser host, they are combined into one element.
    public static let ignore = AccessibilityChildBehavior(isCombined: true)
    /// Presents each child separately.
    public static let contain = AccessibilityChildBehavior(isCombined: false)
}
