"""First names and the gender they are customarily given to; for portraits alone."""

from typing import Literal

Gender = Literal["f", "m", ""]
FEMALE = frozenset(
    """
    Ada Agnieszka Aisha Aishwarya Aleksandra Alice Allison Amelia Aminata Amy Ana Ananya Anna Annika Anouk Antje
    Ashley Astrid Aurélie Ayşe Beatriz Bethany Bhavana Brianna Britta Bronwen Camille Carmen Carolin Catalina
    Charlotte Chiara Clara Clémence Danielle Daryna Deepika Defne Derya Diana Divya Dorota Ebru Eilidh Elena
    Elif Ella Emily Emma Erica Esmée Esra Esther Eva Eve Ewelina Fatima Fatou Femke Fiona Francesca Franziska
    Freya Friederike Gemma Giulia Gizem Grace Halyna Hana Hanna Hannah Harriet Helen Iga Ilse Imogen Ines Ingrid
    Inés Irene Iryna Isabell Isabella Ishita Jane Jessica Jimena Jiwon Joanna Jocelyn Johanna Julia Karen
    Karolina Kateryna Katharina Kavya Kelsey Kinga Lakshmi Laura Lauren Leila Lena Linda Ling Lisa Lotte Lucía
    Magdalena Manon Maria Marisol Marloes Marta Mary Meera Megan Mei Merle Merve Mia Milena Minji Miriam Monica
    Monika Nandini Nataliia Nazlı Nele Niamh Nicole Nina Noelia Nora Oksana Olena Olivia Orla Paige Paula
    Philippa Pooja Priya Rachel Revathi Ritu Rocío Ronja Roos Rosa Ruth Sabine Sakura Sanne Sarah Selin Shruti
    Simone Siobhán Sneha Sofia Solomiia Solène Sophia Sophie Stefanie Susan Svenja Swathi Tanvi Tara Teresa
    Tetiana Ulrike Valeria Vera Weronika Whitney Wiebke Ximena Yasemin Yuki Yuliia Zeynep Zoe Zofia Élodie
    """.split()
)
MALE = frozenset(
    """
    Abhinav Adam Aditya Ahmed Alexander Ali Alistair Andre Andrew Andrii Andrés Ansgar Anthony Antoine Arjun
    Ashwin Baptiste Bartosz Benedikt Benjamin Bohdan Bram Brandon Brian Burak Callum Can Carl Carlos Cem Charles
    Chris Conor Curtis Daan Daniel David Declan Deniz Derek Diego Dmytro Dominic Edward Emre Eric Erik Eugene
    Ewan Felix Florian Frank Gareth George Giovanni Girish Gonzalo Graham Grzegorz Hans Harish Hassan Hauke
    Henrik Henry Hiroshi Hugo Ibrahim Igor Ivan Iván Jack Jacob Jakub James Jan Jannis Javier Jeroen Joaquín
    John Jonas Joon Joseph Josh João Kamil Karl Karthik Kenji Kenneth Kerem Kevin Konrad Krzysztof Leo Liam
    Lorenzo Luca Luis Lukas Maarten Maciej Maksym Malik Malte Manoj Marcin Marco Marcus Mark Markus Mateo
    Mathieu Matt Matteo Matthias Max Mehmet Michael Michał Miguel Mohammed Moritz Murat Nate Nathan Naveen
    Nicolas Nikhil Noah Ole Oleksandr Oliver Omar Onur Oscar Ostap Otto Ousmane Pablo Patrick Paul Paweł Pedro
    Peter Philipp Piotr Prakash Rafael Rahul Rhys Richard Robert Rohan Ronald Rory Ruben Ryan Rémi Samuel
    Sandeep Sander Sebastian Sergio Serhii Serkan Siddharth Simon Stefan Steven Sung Suresh Szymon Takeshi Taras
    Tarık Theo Thijs Thomas Till Tobias Tom Tomasz Torsten Trevor Tyler Varun Victor Vikram Vitalii Volkan
    Walter Wei Wesley William Wojciech Wouter Yannick Yurii Yusuf Álvaro
    """.split()
)


def customary_gender(first_name: str, pronouns: str = "") -> Gender:
    """The gender that pronouns say, else the one a given name customarily has; empty if neither tells."""
    subject = pronouns.partition("/")[0].strip().lower()
    if subject in ("she", "he"):
        return "f" if subject == "she" else "m"
    return "f" if first_name in FEMALE else "m" if first_name in MALE else ""
